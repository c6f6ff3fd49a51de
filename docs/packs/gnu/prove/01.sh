#!/usr/bin/env bash
# BSD sed wants a suffix after -i as a word of its own, GNU sed does not.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo level=debug >app.conf
prove
