#!/usr/bin/env bash
# File names with blanks on their way through xargs.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

touch 'my notes.txt'
prove
