#!/usr/bin/env bash
# The tests of a library in a package that has none.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

program app
prove
