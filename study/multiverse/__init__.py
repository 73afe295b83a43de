"""The multiverse: every defensible way to redo the study, each one a *universe* with a whole Table 2.

`dimensions` lists the choices and draws universes. `stages` computes what universes share, once. `worlds`
assembles the scores of a universe and correlates them. `claims` decides the paper's claims in it, and
`answers` summarises over universes. `curves`, `readable` and `replication` show the results.
docs/multiverse.md describes it for users.
"""
