"""Pairs of systems, summaries or metrics: who is ahead, and whether it is distinguished."""
