#!/usr/bin/env bash
# A workspace named by its folder's name.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mkdir -p packages/app
echo '{"name": "root", "private": true, "workspaces": ["packages/*"]}' >package.json
echo '{"name": "@acme/app", "version": "1.0.0", "scripts": {"build": "node --version"}}' >packages/app/package.json
prove
