//! A hundred shapes of secrets and of the contexts that hold them, written before the rules were read.
//!
//! `§` marks the place of the secret. The letter defines how the secret is drawn, so that no real secret and no text
//! that a scanner takes for one is in the repository.

/// How the secret of a row is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Draw {
    /// As people choose one: a word, a year, letters.
    Human,
    /// Letters, digits and one sign.
    Signs,
    /// Hexadecimal digits.
    Hex,
    /// Letters of both cases and digits.
    Mixed,
    /// The alphabet with `-` and `_`.
    Url,
    /// Base64 with padding.
    Base64,
    /// Two parts with a dot between them.
    Dotted,
    /// Six to eight digits.
    Digits,
    /// Four words.
    Words,
}

use Draw::{Base64, Digits, Dotted, Hex, Human, Mixed, Signs, Url, Words};

/// Texts.
pub(crate) const TEXTS: &[(Draw, &str)] = &[
    // Announced in prose.
    (Hex, "my api key is §"),
    (Mixed, "The API key for staging is § and it expires in May."),
    (Human, "user admin password §"),
    (Human, "Log in as root, password §, then run the script."),
    (Human, "the wifi password is § in the office"),
    (Mixed, "use access token § for the sandbox"),
    (Hex, "signing key: §"),
    (Hex, "the license key is §"),
    (Human, "credentials: admin / §"),
    (Digits, "the pin is §"),
    (Words, "password: §"),
    (Mixed, "Here's the client secret: §"),
    (Base64, "encryption key = §"),
    (Human, "I changed the db password to § yesterday"),
    (Hex, "auth token (staging): §"),
    // In other languages.
    (Human, "Das Passwort lautet §"),
    (Human, "Passwort für den Server: §"),
    (Human, "mot de passe : §"),
    (Human, "Le mot de passe est §"),
    (Human, "contraseña: §"),
    (Human, "la contraseña es §"),
    (Human, "clave de acceso: §"),
    (Human, "senha: §"),
    (Human, "A senha do banco é §"),
    (Human, "la password è §"),
    (Human, "parola d'ordine: §"),
    (Human, "wachtwoord: §"),
    (Human, "Het wachtwoord is §"),
    (Human, "hasło: §"),
    (Human, "пароль: §"),
    (Human, "пароль от базы — §"),
    (Human, "密码：§"),
    (Human, "密码是 §"),
    (Human, "數據庫密碼: §"),
    (Human, "パスワード：§"),
    (Human, "パスワードは § です"),
    (Human, "비밀번호: §"),
    (Human, "şifre: §"),
    (Human, "كلمة المرور: §"),
    (Human, "lösenord: §"),
    (Hex, "clé d'API : §"),
    // Names that hold no common stem.
    (Hex, "HMAC=§"),
    (Mixed, "PASSWORD_PEPPER=§"),
    (Mixed, "pepper: §"),
    (Mixed, "OTP_SEED=§"),
    (Mixed, "\"recovery_code\": \"§\""),
    (Hex, "SESSION_ID=§"),
    (Mixed, "csrf: \"§\""),
    (Base64, "VAULT_UNSEAL=§"),
    (Digits, "DEVICE_PIN=§"),
    (Mixed, "webhook_signing: §"),
    (Base64, "AZURE_STORAGE_KEY=§"),
    (Base64, "FERNET=§"),
    (Mixed, "backup-code: §"),
    // Over several lines.
    (
        Human,
        "machine api.example.org\n  login bob\n  password §\n",
    ),
    (
        Human,
        "machine api.example.org\nlogin bob\npassword §\nmachine other.example.org",
    ),
    (Human, "password: >-\n  §\nport: 5432"),
    (Mixed, "api_key: |\n  §\nurl: https://example.org"),
    (Mixed, "{\n  \"token\":\n    \"§\"\n}"),
    (Human, "Username:\nadmin\nPassword:\n§\n"),
    (
        Base64,
        "-----BEGIN OPENSSH PRIVATE KEY-----\n§\n§\n-----END OPENSSH PRIVATE KEY-----",
    ),
    (Mixed, "| User | Password |\n| --- | --- |\n| bob | § |"),
    // In addresses.
    (Mixed, "https://api.example.org/v1/geo?key=§&q=berlin"),
    (Mixed, "GET /callback?state=abc&code=§ HTTP/1.1"),
    (Mixed, "https://sso.example.org/login?ticket=§"),
    (Human, "ftp://bob:§@files.example.org/in"),
    (Mixed, "https://x-access-token:§@git.example.org/a/b.git"),
    (Mixed, "https://§@git.example.org/a/b.git"),
    (Mixed, "amqps://svc:§@mq.example.org:5671/%2f"),
    (Mixed, "body=%7B%22token%22%3A%22§%22%7D"),
    (Mixed, "https://example.org/reset?reset_token=§"),
    (Url, "https://example.org/f?X-Amz-Signature=a&sig=§"),
    (Mixed, "jdbc:mysql://db/shop?user=shop&password=§"),
    // Forms of makers.
    (Mixed, "tskey-auth-k§CNTRL-§§"),
    (Mixed, "sb_secret_§"),
    (Mixed, "sl.u.§§§§§"),
    (Url, "SECRET_KEY = 'django-insecure-§'"),
    (Mixed, "m0-§§"),
    (Mixed, "ghp_§§"),
    (Mixed, "re_§_§"),
];

/// Command lines.
pub(crate) const COMMANDS: &[(Draw, &str)] = &[
    (
        Human,
        "echo § | docker login -u bob --password-stdin registry.example.org",
    ),
    (Human, "printf '%s' '§' | gh auth login --with-token"),
    (Human, "echo bob:§ | chpasswd"),
    (Human, "echo 'bob:§' | sudo chpasswd"),
    (Human, "echo '§' | sudo -S apt-get update"),
    (Human, "net use Z: \\\\srv\\share /user:bob §"),
    (Human, "net use Z: \\\\srv\\share § /user:bob"),
    (Human, "sqlplus scott/§@//db.example.org/shop"),
    (Human, "chpasswd <<EOF\nbob:§\nEOF"),
    (Human, "docker login --password-stdin <<< §"),
    (Signs, "mysql --user=root --password '§' shop"),
    (Mixed, "svc sync --key § --dry-run"),
    (Mixed, "svc sync --auth §"),
    (Mixed, "svc activate --license §"),
    (Digits, "svc unlock --pin §"),
    (Dotted, "svc push --api-key §"),
    (Dotted, "kubeadm join 10.0.0.1:6443 --token §"),
    (Base64, "docker run -e AZURE_STORAGE_KEY=§ image"),
    (Human, "smbclient //srv/share -U bob%§"),
    (Hex, "wg set wg0 peer abc preshared-key §"),
];
