"""Corpora: collections of articles that can be indexed.

A corpus's entry gives, for one package of the collection, its documents one by one.
"""

from sera.registry import Registry

CORPORA = Registry(
    "corpus",
    {
        "pmc_oa": ("sera.corpora.pmc_oa:extract", "PubMed Central Open Access bulk packages (JATS XML)"),
    },
)
