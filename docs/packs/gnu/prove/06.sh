#!/usr/bin/env bash
# BSD mktemp -t takes a prefix, GNU mktemp a template.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
