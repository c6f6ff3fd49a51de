#!/usr/bin/env bash
# BSD base64 decodes with -D, GNU base64 with -d.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo aGVsbG8= >secret.txt
prove
