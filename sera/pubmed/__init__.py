"""Articles of PubMed Central: their download, the collections that they form, and their text."""
