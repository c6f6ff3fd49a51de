#!/usr/bin/env bash
# A project that names no version of Java.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mvn_needed
pom app
cd app
prove
