"""The page of a study, its figures and texts."""
