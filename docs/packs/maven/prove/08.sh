#!/usr/bin/env bash
# A source file with letters outside ASCII.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

javac -version 2>&1 | grep -qE ' (9|1[0-7])(\.|$)' || not_run "the compiler takes UTF-8 by itself"
printf 'class Main {\n    String name = "Zo\303\253";\n}\n' >Main.java
prove
