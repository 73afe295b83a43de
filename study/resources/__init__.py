"""The claims of papers, kinds of metrics, further systems, and the words of the multiverse."""
