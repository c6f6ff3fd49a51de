#!/usr/bin/env bash
# Two names of tests.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

library app
prove
