#!/usr/bin/env bash
# Running a package that is no program.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

module
prove
