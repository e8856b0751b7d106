#!/bin/sh
# Puts the engine compiled in the place of the one that is installed, and has it play by all laws before it may stay.
#
#   install_compiled.sh COMPILER TODAS   two virtual environments: one with requirements/compile.lock, one with todas
set -eu

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$1/bin/python" "$(dirname "$0")/compile_engine.py" "$made"
packages=$(cd / && "$2/bin/python" -c 'import pathlib, engine; print(pathlib.Path(engine.__file__).parent.parent)')
rm -r "$packages/engine"
cp -R "$made"/. "$packages"
for rules in emay tsumo; do
	"$2/bin/todas" simulate --ruleset "$rules" --bots greedy,random --rounds 200 --seed 1 --check
done
