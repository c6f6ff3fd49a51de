#!/usr/bin/env bash
# Another branch in a clone of one branch.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

origin
git clone --quiet --depth 1 "file://$PWD/origin.git" app
cd app
prove
