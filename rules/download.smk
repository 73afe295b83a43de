# Needs: a connection to PubMed Central's server or a mirror. Not a part of the study: `make download`.
# Makes: the packages in the folder pmc_oa, and here the table of the fetched files.
#
# The packages are not outputs: Snakemake would delete those of an interrupted run, but the next run resumes them.

from rules.code import code
from rules.jobs import growing


rule download:
    output:
        f"{config['results']}/download/packages.tsv",
    log:
        f"{config['results']}/download/download.log",
    benchmark:
        f"{config['results']}/download/benchmark.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    resources:
        runtime=growing(600),
    params:
        folder=download_folder,
        settings=config["download"],
        code=code("download"),
    message:
        "Fetch the packages into {params.folder}; {log} shows the progress"
    script:
        "../scripts/download.py"
