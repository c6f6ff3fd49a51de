#!/usr/bin/env bash
# Removing a volume that a container uses.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
docker run --detach --name web -v data:/data alpine sleep 60 >/dev/null
docker stop --time 0 web >/dev/null
prove
