#!/usr/bin/env bash
# set -o pipefail in sh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
