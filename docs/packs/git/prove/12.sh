#!/usr/bin/env bash
# Describing a commit in a clone without tags.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

origin
git -C origin.git tag v1.0 main~1
git clone --quiet --depth 1 --no-tags "file://$PWD/origin.git" app
cd app
prove
