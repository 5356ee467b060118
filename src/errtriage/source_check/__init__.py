"""Mistakes that can be seen in the user's own source, one rule one file."""
