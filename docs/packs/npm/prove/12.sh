#!/usr/bin/env bash
# A package that is only a dependency of a dependency.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

pnpm_needed
echo '{"name": "app", "private": true, "dependencies": {"semver": "7.5.4"}}' >package.json
echo 'require("lru-cache")' >app.js
prove
