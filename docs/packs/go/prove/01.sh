#!/usr/bin/env bash
# Running one file of a program that has several.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

printf 'module example.com/app\n\ngo 1.21\n' >go.mod
printf 'package main\n\nfunc main() { greet() }\n' >main.go
printf 'package main\n\nfunc greet() {}\n' >greet.go
prove
