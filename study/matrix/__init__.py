"""The matrix of metrics by benchmarks.

`column` evaluates one, `kinds` groups metrics, `pooling` pools benchmarks, `page` shows all.
"""
