#!/usr/bin/env bash
# BSD find has -E, GNU find -regextype.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

touch a.c
prove
