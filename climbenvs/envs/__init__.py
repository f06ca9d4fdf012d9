"""The environments, written once for all games."""
