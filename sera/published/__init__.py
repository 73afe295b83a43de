"""What papers print: their tables, and how results compare with them."""
