"""Learn word vectors from an index."""

import logging

from sera.vectors.learning import TooFew, learn
from sera.vectors.word_vectors import WordVectors
from study.workflow.job import job

with job(snakemake) as rule:
    try:
        vectors = learn(rule.input[0])
    except TooFew as error:
        logging.warning("no vectors: %s", error)
        vectors = WordVectors.none()
    vectors.save(rule.output[0])
