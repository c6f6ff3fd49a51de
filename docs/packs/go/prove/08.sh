#!/usr/bin/env bash
# A flag after the packages.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

module
prove
