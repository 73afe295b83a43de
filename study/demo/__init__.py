"""The demo benchmark: synthetic, its truth known."""
