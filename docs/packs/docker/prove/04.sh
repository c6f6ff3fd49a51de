#!/usr/bin/env bash
# Changing the folder inside of a container.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
docker run --detach --name web alpine sleep 60 >/dev/null
prove
