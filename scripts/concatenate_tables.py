"""Put tables with the same header into one."""

from job import job

from sera.errors import InputError
from sera.files import reading, writing

with job(snakemake) as rule, writing(rule.output[0]) as whole:  # noqa: F821
    header = rule.params.get("header")  # of the table that none makes
    if header and not rule.input:
        whole.write(header + "\n")
    for path in rule.input:
        with reading(path) as part:
            first = next(part, "")
            if path == rule.input[0]:
                header = first
                whole.write(header)
            elif first != header:
                raise InputError(
                    f"has the header {first.strip()!r}, not {header.strip()!r}", path=path, line=1
                )
            whole.writelines(part)
