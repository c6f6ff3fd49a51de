#!/usr/bin/env bash
# Running a package that is a library.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

library app
mkdir examples
echo 'fn main() {}' >examples/demo.rs
prove
