#!/usr/bin/env bash
# A folder with two packages and no list of them.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

uv_needed
uv venv --quiet
mkdir app data
touch app/__init__.py data/__init__.py
printf '%s\n' '[build-system]' 'requires = ["setuptools>=61"]' 'build-backend = "setuptools.build_meta"' \
    '[project]' 'name = "app"' 'version = "1.0"' >pyproject.toml
prove
