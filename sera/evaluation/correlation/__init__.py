"""Correlations of metrics with judgements, and how certain they are."""
