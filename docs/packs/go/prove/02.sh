#!/usr/bin/env bash
# Testing one file of a package.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

module
prove
