#!/usr/bin/env bash
# Blanks around the sign of an assignment.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
