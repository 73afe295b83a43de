# Needs: a connection to PubMed Central's server or a mirror. Not a part of the study: `make download`.
# Makes: the packages in the folder pmc_oa, and here the table of what was fetched.
#
# The packages are no outputs: Snakemake would delete what an interrupted run left, and that is resumed.


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
        mem_mb=growing(1000),
        runtime=growing(600),
    params:
        folder=download_folder,
        settings=config["download"],
        code=code("download"),
    message:
        "Fetch the packages into {params.folder}; {log} tells how far it is"
    script:
        "../scripts/download.py"
