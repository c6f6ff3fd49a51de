#!/usr/bin/env bash
# A bundler of old with a newer Node.js.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '{"name": "app", "scripts": {"build": "node build.js"}}' >package.json
echo 'require("crypto").createHash("md4").update("a").digest("hex")' >build.js
prove
