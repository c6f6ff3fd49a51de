#!/usr/bin/env bash
# Comparing branches in a shallow clone.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

origin
git -C seed switch --quiet feature
(cd seed && commit b.txt one && commit b.txt two)
git -C seed push --quiet ../origin.git feature
git clone --quiet --depth 1 --no-single-branch --branch feature "file://$PWD/origin.git" app
cd app
prove
