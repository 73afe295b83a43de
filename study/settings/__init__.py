"""The settings of the study, and their checks."""
