"""The matrix of metrics by benchmarks: `column` evaluates one, `answers` summarises all of them."""
