#!/usr/bin/env bash
# pytest in a project that does not list it.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

uv_needed
printf '%s\n' '[project]' 'name = "app"' 'version = "1.0"' 'requires-python = ">=3.9"' >pyproject.toml
echo 'def test_one(): pass' >test_one.py
prove
