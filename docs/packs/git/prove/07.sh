#!/usr/bin/env bash
# Pushing a branch name that does not exist here.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

origin
git clone --quiet origin.git app
cd app
git branch --quiet -m main master
commit a.txt one
prove
