"""The matrix of metrics by benchmarks: `column` evaluates one, `answers` says what all of them show."""
