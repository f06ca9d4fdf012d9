"""Command-line scripts, one idea each."""
