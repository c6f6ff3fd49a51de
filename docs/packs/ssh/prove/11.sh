#!/usr/bin/env bash
# A destination whose parents are missing.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

needs rsync
version="$(rsync --version | awk 'NR == 1 { print $1, $3 }')"
echo note >notes.txt
prove
