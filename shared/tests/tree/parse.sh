#!/bin/bash
# Checks that the workflows and the dev container, which cannot run here, are well-formed and name existing files.
# usage: parse.sh
. "$(dirname "$0")/tree.sh"

command -v python3 >/dev/null || { skip "python3 is not installed: JSON and YAML are not parsed"; finish; }
files | grep -E '\.(json|ipynb)$' >"$work/json"
while IFS= read -r file; do
    expect 0 python3 -m json.tool "$file"
done <"$work/json"

files | grep -E '\.ya?ml$' >"$work/yaml"
if python3 -c 'import yaml' 2>/dev/null; then
    while IFS= read -r file; do
        expect 0 python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file"
    done <"$work/yaml"
else
    skip "python3-yaml is not installed: YAML is not parsed"
fi
check "a workflow calls .ci/run" grep -qE '^ *(- )?run: (\./)?\.ci/run$' .github/workflows/*.yml
check ".ci/run can be run" [ -x .ci/run ]
check "the dev container installs what is needed" \
    grep -qF './run_all.sh --install' .devcontainer/devcontainer.json
finish
