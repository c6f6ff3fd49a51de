#!/usr/bin/env bash
# A script of a workspace, called at the root.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mkdir -p packages/app
echo '{"name": "root", "private": true, "workspaces": ["packages/*"]}' >package.json
echo '{"name": "app", "version": "1.0.0", "scripts": {"lint": "node --version"}}' >packages/app/package.json
prove
