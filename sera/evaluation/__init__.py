"""The evaluation of metrics by human scores."""
