#!/usr/bin/env bash
# Stopping the containers of an empty list.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
