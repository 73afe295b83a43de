"""The evaluation of metrics by human judgements."""
