"""What metrics need besides texts: a module for each resource reads it from the inputs of a job.

`scripts/score.py` loads them by name, so that a change of one reruns only the families that need it.
"""
