#!/usr/bin/env bash
# A script called in a folder without a package.json.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mkdir web
echo '{"name": "web", "scripts": {"build": "node --version"}}' >web/package.json
prove
