"""The multiverse: every defensible way to redo the study, each one a *universe* with a whole Table 2.

`choices` lists the dimensions and draws universes. `cells` computes the scores that universes share, once.
`universes` assembles the scores of a universe and correlates them, `permutation_tests` tests the whole curve,
and `answers` summarises over universes. `figures` and `page` show the results. `given` does the same for
summaries that are given, and `index_study` and `index_figure` vary the index alone.
docs/multiverse.md describes it for users.
"""
