#!/usr/bin/env bash
# A package named like its module: PIL.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

environment
prove
