"""The demo benchmark: synthetic, generated, its truth known."""
