#!/usr/bin/env bash
# A test of an unset variable without quotes.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

unset MODE
prove
