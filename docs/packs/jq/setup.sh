# Sourced by the proofs of this pack.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs jq
version_of jq --version
