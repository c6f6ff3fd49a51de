# Sourced by the proofs of this pack: a small server of this machine, which curl finds as localhost:8080.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs curl python3
version_of curl --version
version="${version%% (*}"
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy NO_PROXY no_proxy CURL_HOME

# Starts the server in the present folder, after $1 seconds. It redirects /moved/X to /X, wants JSON for POST and a
# bearer token for /private, and has no byte ranges.
server() {
    cat >"$place/server.py" <<'END'
import http.server, sys, time

class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", self.path[6:])
            self.send_header("Content-Length", "24")
            self.end_headers()
            self.wfile.write(b"<html>see there</html>\n\n")
            return
        if self.path.startswith("/private") and self.headers.get("Authorization") != "Bearer secret":
            return self.send_error(401)
        super().do_GET()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Type") != "application/json":
            return self.send_error(415)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

port, delay = int(sys.argv[1]), float(sys.argv[2])
time.sleep(delay)
http.server.ThreadingHTTPServer.allow_reuse_address = True
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
END
    local port
    port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    echo "connect-to = \"localhost:8080:127.0.0.1:$port\"" >"$HOME/.curlrc"
    python3 "$place/server.py" "$port" "${1:-0}" &
    leftovers+=("$!")
    [[ -n "${1:-}" ]] || wait_for curl -s -o /dev/null http://localhost:8080/ || not_run "the server does not start"
}
