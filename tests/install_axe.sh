#!/usr/bin/env bash
# Fetch axe-core, which checks the page's accessibility in the tests' browser, from the npm registry into build/axe. Where
# it cannot be had, say so and leave it to the tests to skip.
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.10.3
sha256=0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292
package=axe-core-$version.tgz

[ -f build/axe/$version.js ] && exit
if ! command -v npm > /dev/null; then
  echo "axe-core is not there: there is no npm to fetch it." >&2
  exit
fi
mkdir -p build/axe
cd build/axe
if ! npm pack --silent axe-core@$version > /dev/null; then
  echo "axe-core is not there: npm could not fetch it." >&2
  exit
fi
if ! echo "$sha256  $package" | sha256sum --check --quiet; then
  rm -f $package
  echo "axe-core $version is not the file that the tests expect: its checksum differs." >&2
  exit 1
fi
tar -xzf $package package/axe.min.js
mv package/axe.min.js $version.js
rm -r $package package
