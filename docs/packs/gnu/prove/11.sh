#!/usr/bin/env bash
# Too many files for one command.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

seq 12000 | sed "s/^/$(printf 'x%.0s' {1..230})/; s/\$/.tmp/" | xargs touch
prove
