#!/usr/bin/env bash
# A phase that Maven does not have.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mvn_needed
pom app "$(java_11)"
cd app
prove
