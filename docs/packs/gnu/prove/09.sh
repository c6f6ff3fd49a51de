#!/usr/bin/env bash
# The command of -exec has no end.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

touch a.c
prove
