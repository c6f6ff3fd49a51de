#!/usr/bin/env bash
# Merging a repository that was started on its own.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

origin
git init --quiet app
cd app
commit a.txt one
git remote add origin ../origin.git
prove
