#!/usr/bin/env bash
# A module's name after --test.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

library app
prove
