#!/usr/bin/env bash
# A request to a service that is still starting.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server 1.5
prove
