#!/usr/bin/env bash
# Install the browser in which the report is tested, where it is missing and Debian's package can be had. Where it
# cannot, say so and leave it to the tests to skip.
set -euo pipefail

for program in chromium chromium-browser google-chrome; do
  command -v $program > /dev/null && exit
done
if [ "$(id --user)" != 0 ]; then
  echo "No Chromium is installed: only root can install it." >&2
elif ! command -v apt-get > /dev/null; then
  echo "No Chromium is installed: there is no apt-get to install it." >&2
else
  echo "Installing Chromium: apt-get install chromium fonts-dejavu-core" >&2
  export DEBIAN_FRONTEND=noninteractive
  {
    apt-get update
    apt-get install --yes --no-install-recommends chromium fonts-dejavu-core
  } > /dev/null || echo "No Chromium is installed: apt-get could not." >&2
fi
