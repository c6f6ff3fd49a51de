#!/usr/bin/env bash
# BSD date moves a date with -v, GNU date with -d.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
