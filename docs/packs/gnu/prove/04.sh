#!/usr/bin/env bash
# BSD stat has -f with a format, GNU stat -c.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo data >data.bin
prove
