#!/usr/bin/env bash
# Removing an image that a stopped container uses.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
docker run --detach --name web alpine sleep 60 >/dev/null
docker stop --time 0 web >/dev/null
prove
