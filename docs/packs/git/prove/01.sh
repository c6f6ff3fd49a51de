#!/usr/bin/env bash
# A commit that names a file git does not track yet.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
echo two >notes.txt
prove
