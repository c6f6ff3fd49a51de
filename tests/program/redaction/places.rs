//! The places of secrets: command lines, outputs, JSON, YAML, code, logs. `@` is the place of the secret.

/// The kind of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Any text.
    Text(&'static str),
    /// A text that is known to be a command line.
    Command(&'static str),
}

use Place::{Command, Text};

/// Places where a secret is known by its looks alone.
pub(crate) const OF_KEYS: &[Place] = &[
    Text("2026-03-01T10:00:00Z ERROR request failed for @"),
    Text("{\"level\":\"error\",\"msg\":\"rejected @\",\"code\":401}"),
    Text("args: [\"--endpoint\", \"https://api.example.org\", \"@\"]"),
    Text("  credentials: @\n  region: eu"),
    Text("let client = Client::new(\"@\");"),
    Text("Traceback (most recent call last):\n  File \"a.py\", line 3\nValueError: bad key '@'"),
    Text("https://api.example.org/v1/items?key=@&page=2"),
    Command("deploy --to prod @"),
    Command("sh -c 'curl -s https://api.example.org/ -H \"X-Key: @\"'"),
    Text("| name | value |\n|---|---|\n| ci | `@` |"),
];

/// Places of a key whose form needs the text before it.
pub(crate) const OF_WEBHOOKS: &[(&str, &[Place])] = &[
    (
        "slack webhook",
        &[
            Text("POST https://hooks.slack.com/services/@ 403"),
            Text("SLACK_URL=https://hooks.slack.com/services/@"),
            Command("curl -X POST -d '{\"text\":\"hi\"}' https://hooks.slack.com/services/@"),
        ],
    ),
    (
        "discord webhook",
        &[
            Text("url: https://discord.com/api/webhooks/123456789012345678/@"),
            Command("curl -F content=hi https://discordapp.com/api/webhooks/123456789012345678/@"),
        ],
    ),
];

/// Places whose names or options announce a password.
pub(crate) const OF_PASSWORDS: &[Place] = &[
    Command("curl -u admin:@ https://example.org/x"),
    Command("curl --user 'bob:@' https://example.org/x"),
    Command("mysql -u root -p@ -e 'select 1'"),
    Command("mysqldump --password=@ shop"),
    Command("docker login -u bob -p @ registry.example.org"),
    Command("sshpass -p '@' ssh bob@host uptime"),
    Command("redis-cli -h cache -a @ ping"),
    Command("PGPASSWORD=@ psql -h db -U shop"),
    Command("svc push --password @ --verbose"),
    Command("gpg --batch --passphrase @ -d a.gpg"),
    Command("openssl rsa -in k.pem -passin pass:@ -out o.pem"),
    Command("sh -c 'mysql -uroot -p@ shop'"),
    Command("unzip -P @ archive.zip"),
    Command("ldapsearch -x -D cn=admin -w @ -b dc=example"),
    Command("wget --http-password=@ https://example.org/f"),
    Command("export DB_PASSWORD=@ && ./run"),
    Command("psql postgres://shop:@@db.example.org:5432/shop"),
    Text("connect failed: mongodb+srv://app:@@cluster0.example.net/x?retryWrites=true"),
    Text("redis://:@@cache:6379/0 refused"),
    Text("{\"user\":\"bob\",\"password\":\"@\",\"retries\":3}"),
    Text("{\\\"user\\\":\\\"bob\\\",\\\"password\\\":\\\"@\\\"}"),
    Text("db:\n  user: shop\n  password: \"@\"\n  port: 5432"),
    Text("db:\n  user: shop\n  password: @\n  port: 5432"),
    Text("[database]\nuser = \"shop\"\npassword = \"@\""),
    Text("DB_HOST=db\nDB_PASSWORD=@\nDB_PORT=5432"),
    Text("spring.datasource.password=@"),
    Text("conn = psycopg2.connect(host=\"db\", password=\"@\")"),
    Text("const dbPassword = '@';"),
    Text("    passwd: \"@\".to_owned(),"),
    Text("<datasource><username>shop</username><password>@</password></datasource>"),
    Text("<add key=\"SmtpPassword\" value=\"@\" />"),
    Text("Server=db;Database=shop;User Id=sa;Password=@;Encrypt=true"),
    Text("CREATE USER shop IDENTIFIED BY '@';"),
    Text("ALTER ROLE shop WITH PASSWORD '@';"),
    Text("machine api.example.org login bob password @"),
    Text("POST /login user=bob&password=@&remember=1"),
    Text("define('DB_PASSWORD', '@');"),
    Text("'password' => '@',"),
    Text("os.environ[\"SMTP_PASSWORD\"] = \"@\""),
    Text("password := \"@\""),
    Text("client.set_password(\"@\")"),
    Text("env:\n- name: DB_PASSWORD\n  value: \"@\"\n"),
    Text("variable \"db_password\" {\n  default = \"@\"\n}"),
    Text("2026-03-01 INFO login attempt user=bob password=@ ip=10.0.0.1"),
];

/// Places whose names announce a token, a key or a secret.
pub(crate) const OF_TOKENS: &[Place] = &[
    Command("svc push --token @ --verbose"),
    Command("svc push --api-key=@"),
    Command("curl -H \"Authorization: Bearer @\" https://example.org"),
    Command("curl -H 'X-Api-Key: @' https://example.org"),
    Command("curl -H 'PRIVATE-TOKEN: @' https://example.org"),
    Command("export API_TOKEN=@; ./run"),
    Command("npm config set //registry.example.org/:_authToken=@"),
    Command("aws configure set aws_secret_access_key @"),
    Command("kubectl --token=@ get pods"),
    Command("vault login @"),
    Text("> Authorization: Bearer @\n< HTTP/1.1 401"),
    Text("authorization: token @"),
    Text("'headers': {'Authorization': 'Bearer @'}"),
    Text("headers={\"X-Auth-Token\": \"@\"}"),
    Text("got 401 with bearer @"),
    Text("{\"access_token\":\"@\",\"expires_in\":3600}"),
    Text("{\"client_id\":\"app\",\"client_secret\":\"@\"}"),
    Text("api:\n  secret_key: @\n  url: https://example.org"),
    Text("api_key = \"@\""),
    Text("API_KEY=@"),
    Text("const apiKey: string = \"@\";"),
    Text("os.environ[\"SERVICE_TOKEN\"] = \"@\""),
    Text("GET /v1/items?access_token=@&limit=10 200"),
    Text("requests.get(url, params={\"api_key\": \"@\"})"),
    Text("AccountName=shop;AccountKey=@;EndpointSuffix=core.example.net"),
    Text("Endpoint=sb://x.example.net/;SharedAccessKeyName=root;SharedAccessKey=@"),
    Text("Cookie: theme=dark; sessionid=@; lang=en"),
    Text("Set-Cookie: session_token=@; Path=/; HttpOnly"),
    Text(".header(\"X-Api-Key\", \"@\")"),
    Text("env:\n- name: SERVICE_TOKEN\n  value: @\n"),
    Text("secret: \"@\""),
    Text("set -x\n+ deploy --auth-token @\n"),
];
