# Sourced by scripts/team: clients of one learner over the proxy while an engine is killed. Every delta is sent until it is
# acknowledged, with the same id; the clock of the memory then tells whether each counted once.
# shellcheck shell=bash

check_clients=8
check_deltas="${HINDLORE_TEAM_DELTAS:-60}"

# Sends one request; $1 route, $2 body.
check_call() {
    curl --silent --show-error --fail-with-body --max-time 20 "http://127.0.0.1:$port/v1/$1" \
        -H "Authorization: Bearer $check_key" -H "Hindlore-Learner: $check_learner" \
        -H 'Content-Type: application/json' -d "$2"
}

# One client: its deltas one after the other, each until it is answered. Prints how often it had to ask again.
check_client() {
    local client="$1" number again=0 body
    for number in $(seq "$check_deltas"); do
        body="{\"id\": \"d-$client-$number\", \"operations\": [{\"op\": \"ADD\", \"content\": \"client $client keeps fact number $number of its own\"}]}"
        until check_call delta/apply "$body" >/dev/null 2>&1; do
            again=$((again + 1))
            ((again < 600)) || return 1
            sleep 0.2
        done
        check_call retrieve "{\"query\": \"fact number $number\", \"peek\": true}" >/dev/null 2>&1 || again=$((again + 1))
    done
    printf '%s\n' "$again"
}

# A figure of the memory as one engine tells it.
check_figure() {
    compose exec -T "$1" /hindlore digest --learner "$check_learner" --json 2>/dev/null |
        sed -n "s/.*\"$2\":\"\{0,1\}\([0-9a-z]*\).*/\1/p"
}

team_check() {
    local folder client expected again=0 status=0 engine
    check_learner="check-$(od -An -N 6 -t x1 /dev/urandom | tr -d ' \n')"
    check_key="$(compose exec -T engine-1 /hindlore key create "$check_learner" --only-learner "$check_learner" \
        --rights destroy --days 1 --json | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')"
    [[ -n "$check_key" ]] || {
        warn "no key could be made; does it run? \`scripts/team up\`"
        return 1
    }
    folder="$(mktemp -d)"
    say "$check_clients clients send $check_deltas deltas each"
    for client in $(seq "$check_clients"); do
        check_client "$client" >"$folder/$client" &
    done
    sleep 3
    say "killing engine-1"
    docker kill "$(compose ps --quiet engine-1)" >/dev/null
    wait
    for client in $(seq "$check_clients"); do
        [[ -s "$folder/$client" ]] || status=1
        again=$((again + $(cat "$folder/$client" || echo 0)))
    done
    rm -rf "$folder"
    compose up --detach </dev/null >/dev/null 2>&1
    sleep 2
    expected=$((check_clients * check_deltas))
    for engine in engine-1 engine-2; do
        say "$engine: clock $(check_figure "$engine" clock), active $(check_figure "$engine" active) of $expected, digest $(check_figure "$engine" digest)"
        [[ "$(check_figure "$engine" clock)" == "$expected" ]] || status=1
    done
    [[ "$(check_figure engine-1 digest)" == "$(check_figure engine-2 digest)" ]] || status=1
    check_call learner/erase "{\"learner\": \"$check_learner\"}" >/dev/null || warn "the learner $check_learner could not be erased"
    ((status == 0)) && say "every delta counted once; $again calls were repeated" || warn "the figures do not agree"
    return "$status"
}
