"""The multiverse: every defensible way to redo the study, each one a *universe* with a whole Table 2.

`choices` lists the dimensions and draws universes. `cells` computes the scores that universes share, once.
`universes` assembles the scores of a universe and correlates them, `permutation_tests` tests the whole curve,
and `answers` summarises over universes. `figures` and `page` show the results, and
`index_study` varies the number of articles alone.
docs/multiverse.md describes it for users.
"""
