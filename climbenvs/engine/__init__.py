"""The rules engine: written once, knows no game."""
