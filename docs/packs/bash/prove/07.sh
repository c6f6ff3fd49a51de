#!/usr/bin/env bash
# An apostrophe inside single quotes.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
