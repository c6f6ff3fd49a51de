#!/usr/bin/env bash
# Arguments for a script after two hyphens.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

pnpm_needed
echo '{"name": "app", "private": true, "scripts": {"check": "node check.js"}}' >package.json
echo 'require("util").parseArgs({ options: { strict: { type: "boolean" } } })' >check.js
prove
