"""The claims of papers, and the words and relations of the demo."""
