#!/usr/bin/env bash
# Formatting a file with rustfmt itself.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

needs rustfmt
library app
printf '%s\n' 'pub async fn run() {}' >src/lib.rs
prove
