# shellcheck shell=bash
docker_available() { return 1; }
docker_runs() { return 1; }
