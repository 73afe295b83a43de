# Needs: a connection to PubMed Central's server or a mirror. Not a part of the study: `make download`.
# Makes: the packages in the folder pmc_oa, and here the table of what was fetched.
#
# The packages are no outputs: Snakemake would delete what an interrupted run left, and that is resumed.


def download_folder(wildcards):
    if not config.get("pmc_oa"):
        raise WorkflowError(
            "download: pmc_oa is not set. Name the folder to fill, `make download PMC_OA=...`."
        )
    return config["pmc_oa"]


rule download:
    output:
        f"{config['results']}/download/packages.tsv",
    log:
        f"{config['results']}/download/download.log",
    localrule: True
    params:
        folder=download_folder,
        settings=config["download"],
        code=code("sera.corpora.download"),
    message:
        "Fetch the packages into {params.folder}; {log} tells how far it is"
    script:
        "../scripts/download.py"
