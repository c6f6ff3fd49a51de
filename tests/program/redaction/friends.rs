//! Texts that look like a secret and are none, and texts around a secret that must not get lost.

use hindlore_redact::{MARK, Redactor};
use serde_json::{Value, json};

fn redacted(text: &str) -> String {
    let mut text = text.to_owned();
    Redactor::default().sweep().text(&mut text);
    text
}

/// Placeholders, words and code.
const FRIENDS: &[&str] = &[
    "Authorization: Bearer <TOKEN>",
    "Authorization: Bearer $TOKEN",
    "curl -u \"$USER:$PASSWORD\" https://example.org",
    "curl -u user:password https://example.org",
    "token: ${{ secrets.DEPLOY_TOKEN }}",
    "password: {{ vault_password }}",
    "API_KEY=xxxxxxxxxxxxxxxx",
    "API_KEY=your-api-key",
    "api_key = \"YOUR_API_KEY\"",
    "password = \"********\"",
    "token: str",
    "token: &str,",
    "pub password: String,",
    "password: Option<String>",
    "password = None",
    "password = get_password()",
    "password = input(\"Password: \")",
    "let token = tokens.next();",
    "token = self.lexer.token",
    "key = cache_key(item)",
    "connect(user=user, password=password)",
    "api_key=os.environ[\"API_KEY\"]",
    "tokens=4096",
    "max_tokens: 1000",
    "\"total_tokens\": 18432",
    "next_token = page.next_token",
    "secretName: shop-tls",
    "password_file: /run/secrets/db",
    "Passwords must be at least 12 characters long.",
    "use --token to set a token, and --password prompts for one",
    "the password is required",
    "Enter your password: ",
    "if password == \"\" {",
    "password: \"Enter your password\"",
    "\"type\": \"password\"",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "checksum = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
    "integrity: sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "id = 6fa459ea-ee8a-3ca4-894e-db77e160355e",
    "src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\"",
    "docker run -u 1000:1000 image",
    "docker run --user app:app image",
    "date -u +%H:%M:%S",
    "git push -u origin HEAD:feature/x",
    "ssh -p 2222 host",
    "mkdir -p build/out",
    "postgres://user:password@localhost/db",
    "https://example.org:8080/path@v1",
    "npm install @types/node@18",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 bob@host",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "basic knowledge of bearer tokens",
    "class TokenStream;",
    "sk-fading-circle-animation-delay",
    "primary_key = \"a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6\"",
];

#[test]
fn placeholders_words_and_code_stay() {
    for text in FRIENDS {
        assert_eq!(redacted(text), *text);
    }
}

#[test]
fn only_the_value_goes_and_what_is_redacted_stays_so() {
    for (text, wanted) in [
        (
            "curl -u admin:hunter2 http://localhost:1/x",
            "curl -u admin:<secret> http://localhost:1/x",
        ),
        (
            "connect failed: postgres://shop:hunter2plus@db/shop",
            "connect failed: postgres://shop:<secret>@db/shop",
        ),
        (
            "{\"password\": \"hunter2\", \"user\": \"bob\"}",
            "{\"password\": \"<secret>\", \"user\": \"bob\"}",
        ),
        (
            "GET /x?access_token=a1b2c3d4e5f6&page=2",
            "GET /x?access_token=<secret>&page=2",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nAb12\n-----END PRIVATE KEY-----\nmore",
            "-----BEGIN PRIVATE KEY-----\n<secret>\n-----END PRIVATE KEY-----\nmore",
        ),
        (
            "\"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG\\n-----END PRIVATE KEY-----\\n\"",
            "\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n<secret>\\n-----END PRIVATE KEY-----\\n\"",
        ),
        (
            "Server=db;Password=Str0ng(!)Pass;Encrypt=true",
            "Server=db;Password=<secret>;Encrypt=true",
        ),
    ] {
        assert_eq!(redacted(text), wanted);
        assert_eq!(redacted(wanted), wanted);
    }
}

#[test]
fn a_key_that_was_cut_off_goes_as_far_as_it_is_there() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    let start = redacted(&format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\nerror: cut"
    ));
    assert!(
        !start.contains("MIIE") && start.ends_with("\nerror: cut"),
        "{start}"
    );
    let end = redacted(&format!(
        "before: it\n{body}\n{body}\n-----END RSA PRIVATE KEY-----"
    ));
    assert!(
        !end.contains("MIIE") && end.starts_with("before: it"),
        "{end}"
    );
}

fn swept(mut action: Value, mut error: Value) -> (Value, Value, u64) {
    let redactor = Redactor::default();
    let mut sweep = redactor.sweep();
    sweep.action(&mut action);
    sweep.value(&mut error);
    sweep.echo_value(&mut error);
    let redactions = sweep.finish();
    (action, error, redactions.total())
}

#[test]
fn an_argument_is_a_secret_by_the_one_before_it() {
    for (action, wanted) in [
        (
            json!(["svc", "push", "--token", "swordfish-and-more", "x"]),
            json!(["svc", "push", "--token", MARK, "x"]),
        ),
        (
            json!("svc push --token swordfish-and-more x"),
            json!("svc push --token <secret> x"),
        ),
        (
            json!({"tool": "push", "token": "swordfish-and-more"}),
            json!({"tool": "push", "token": "swordfish-and-more"}),
        ),
        (
            json!({"tool": "push", "arguments": {"api_key": "swordfish-4-more-77"}}),
            json!({"tool": "push", "arguments": {"api_key": MARK}}),
        ),
        (
            json!(["mysql", "-u", "root", "-pswordfish-and-more"]),
            json!(["mysql", "-u", "root", "-p<secret>"]),
        ),
        (
            json!(["curl", "-u", "bob:swordfish-and-more", "https://x"]),
            json!(["curl", "-u", "bob:<secret>", "https://x"]),
        ),
        (
            json!(["curl", "-H", "Authorization: Bearer a1b2c3d4e5f6g7"]),
            json!(["curl", "-H", "Authorization: Bearer <secret>"]),
        ),
    ] {
        let (redacted, ..) = swept(action, Value::Null);
        assert_eq!(redacted, wanted);
    }
}

#[test]
fn what_an_argument_showed_is_taken_out_of_the_output() {
    let (_, error, count) = swept(
        json!("svc push --token sk-live-SuperSecretToken"),
        json!("authentication failed for key sk-live-SuperSecretToken at host"),
    );
    assert_eq!(
        error,
        json!("authentication failed for key <secret> at host")
    );
    assert_eq!(count, 2);
}

#[test]
fn own_rules_are_checked_and_found_and_off_is_off() {
    let rule = |name: &str, pattern: &str| vec![(name.to_owned(), pattern.to_owned())];
    let own = Redactor::with_rules(&rule("badge", r"badge (\d{4})")).unwrap();
    let mut text = "badge 1234 and badge 12".to_owned();
    let mut sweep = own.sweep();
    sweep.text(&mut text);
    assert_eq!(text, "badge <secret> and badge 12");
    assert_eq!(sweep.finish().by_rule().get("badge"), Some(&1));
    for (pattern, word) in [("(", "cannot be used"), ("x*", "empty text")] {
        let bad = Redactor::with_rules(&rule("mine", pattern)).unwrap_err();
        assert!(
            bad.to_string().contains("mine") && bad.to_string().contains(word),
            "{bad}"
        );
    }
    let mut text = "password=hunter2".to_owned();
    Redactor::off().sweep().text(&mut text);
    assert_eq!(text, "password=hunter2");
}
