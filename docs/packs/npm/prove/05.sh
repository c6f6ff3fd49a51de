#!/usr/bin/env bash
# The test script that npm init writes.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

npm init --yes >/dev/null
mkdir test
echo 'require("node:test")("adds", () => {})' >test/add.test.js
prove
