"""climbenvs."""
