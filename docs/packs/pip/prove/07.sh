#!/usr/bin/env bash
# Running a module of a package as a file.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

version_of python3 --version
mkdir "$place/bin"
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$place/bin/python"
export PATH="$place/bin:$PATH"
mkdir app
touch app/__init__.py
echo 'NAME = "app"' >app/names.py
echo 'from .names import NAME' >app/main.py
prove
