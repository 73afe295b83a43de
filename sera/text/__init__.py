"""Texts: sentences, and the terms of the analyzers."""
