#!/usr/bin/env bash
# A script whose program is not installed yet.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"name": "app", "scripts": {"check": "json5 --version"}, "devDependencies": {"json5": "2.2.3"}}' >package.json
prove
