#!/usr/bin/env bash
# pytest does not find the project's own package.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

environment
pip install --quiet pytest==8.3.4
version_of pytest --version
mkdir app tests
touch app/__init__.py
printf '%s\n' 'import app' 'def test_app():' '    assert app' >tests/test_app.py
prove
