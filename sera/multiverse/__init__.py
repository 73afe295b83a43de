"""The multiverse: every defensible way to redo the study, each way one *universe* with its whole Table 2.

`dimensions` says what may be chosen, and draws universes; `stages` makes what universes share, each thing
once; `worlds` puts a universe's scores together and correlates them; `claims` decides the paper's claims in
it; `answers` sums up over universes; `figures` and `page` show it. docs/multiverse.md tells it to users.
"""
