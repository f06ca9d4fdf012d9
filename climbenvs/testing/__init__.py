"""Checks for games, and the small game they are tried on."""
