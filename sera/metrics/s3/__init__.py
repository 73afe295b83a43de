"""S3: its features, models, and training."""
