"""Learn word vectors from an index."""

import logging

import numpy as np

from sera.vectors.learning import TooFew, learn
from sera.vectors.word_vectors import WordVectors
from study.workflow.job import job

with job(snakemake) as rule:
    try:
        vectors = learn(rule.input[0])
    except TooFew as error:
        logging.warning("no vectors: %s", error)
        vectors = WordVectors((), np.zeros((0, 1)))
    vectors.save(rule.output[0])
