"""How well content units and citation contexts are recognised."""
