#!/usr/bin/env bash
# A text without its quotes in a program in double quotes.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo '[{"name": "app"}]' >data.json
prove
