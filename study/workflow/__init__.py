"""What the rules and scripts of the workflow share."""
