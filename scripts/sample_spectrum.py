"""Sample summaries of each topic over the whole range of a metric's scores."""

from sera.io import records
from sera.io.scores import read_scores, write_judgements
from sera.metrics.configure import equip
from sera.metrics.s3.features import FULL, MODELS
from sera.metrics.s3.training import available, initial_topics, train
from sera.progress import progress
from sera.summarizers.budget import budget
from sera.summarizers.genetic import Evolution, group_by_topic, sample
from study.workflow.job import job
from study.workflow.resources import open_resources
from study.workflow.s3 import training_judgements

with job(snakemake) as rule:
    options = dict(rule.params.spectrum)
    name, topics, samples = (options.pop(setting) for setting in ("fitness", "topics", "samples"))
    articles = records.read(rule.input.sources, records.Source)
    topic_names = initial_topics(article.topic for article in articles)[:topics]
    sources = [article for article in articles if article.topic in topic_names]
    references = records.read(rule.input.references, records.Reference)
    references_by_topic = group_by_topic(sources, references, rule.input.references)
    resources = open_resources(rule, [*sources, *references])
    models = {}
    if name in MODELS:  # each topic by a model of the others, as everywhere in the study
        judgements = training_judgements(
            rule.input.get("judgements"), rule.input.pyramid, rule.params.systems
        )
        features = available(resources, sources=True, language=rule.params.language)
        features = [feature for feature in features if feature.name in MODELS[name]]
        table = read_scores(rule.input.features)
        table = table[table["metric"].isin(FULL)]
        models = {
            source.topic: train(
                name, features, table[table["topic"] != source.topic], judgements, rule.params.judgement
            )
            for source in progress(sources, f"models of {name} trained")
        }
    rows = []
    for source in progress(sources, f"topics sampled by {name}"):
        (fitness,) = equip([name], rule.params.settings, resources.plus(model=models.get(source.topic)))
        rows += sample(
            source,
            references_by_topic[source.topic],
            fitness,
            budget(source, **rule.params.budget),
            samples=samples,
            settings=Evolution(**options),
            seed=rule.params.seed,
        )
    records.write(rule.output.samples, [candidate for candidate, _ in rows])
    write_judgements(rule.output.fitness, [judgement for _, judgement in rows])
