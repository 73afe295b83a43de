"""The matrix of metrics by benchmarks: `column` evaluates one, `matrix_page` show them all."""
