# Sourced by the proofs of this pack: the installed Go with caches of its own and no network.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs go
while IFS='=' read -r name _; do unset "$name"; done < <(env | grep -E '^(GO[A-Z0-9]+|CGO_[A-Z]+)=' | grep -v '^GOROOT=')
export GOPATH="$place/go" GOCACHE="$cache/go-build" GOENV=off GOTOOLCHAIN=local GOPROXY=off GOFLAGS=''
version="$(go version | cut -d ' ' -f 3)"

# Makes the module example.com/app with the program cmd/app and the tested package calc.
module() {
    mkdir -p cmd/app calc
    printf 'module example.com/app\n\ngo 1.21\n' >go.mod
    printf 'package main\n\nfunc main() {}\n' >cmd/app/main.go
    printf 'package calc\n\nfunc Add(a, b int) int { return a + b }\n' >calc/calc.go
    printf 'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n' >calc/calc_test.go
}
