#!/usr/bin/env bash
# A folder with a blank in its path.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
mkdir "my app"
cd "my app"
prove
