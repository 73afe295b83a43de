"""Read and write files: texts, tables, records, and what servers send."""
