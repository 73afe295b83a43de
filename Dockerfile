# The study in a container. Build: docker build -t sera .
# Run: docker run --rm -v "$PWD/results:/sera/results" sera reproduce
# Data of yours: -v /data:/data:ro, and its variables, as in `sera reproduce BENCHMARK=tac2014 TAC2014=/data/BiomedSumm`.
FROM python:3.11-slim-bookworm

# make runs the study, git records its commit. The versions are those of the base image's Debian release.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git make \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /sera
COPY . .
RUN git config --system --add safe.directory /sera && make env

ENTRYPOINT ["make"]
CMD ["help"]
