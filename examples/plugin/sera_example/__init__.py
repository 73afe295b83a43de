"""A metric and a summarizer for sera."""
