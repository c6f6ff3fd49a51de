//! Secrets of many kinds, drawn by chance in the forms that their makers give them.

use super::chance::{BASE32, Chance, LOWER, UPPER};

/// A kind of secret that is known by its looks, and how one is drawn.
pub(crate) type Kind = (&'static str, fn(&mut Chance) -> String);

/// Keys and tokens of makers.
pub(crate) const KEYS: &[Kind] = &[
    ("aws key id", |c| format!("AKIA{}", c.of(BASE32, 16))),
    ("aws temporary key id", |c| {
        format!("ASIA{}", c.of(BASE32, 16))
    }),
    ("github personal", |c| format!("ghp_{}", c.alnum(36))),
    ("github oauth", |c| format!("gho_{}", c.alnum(36))),
    ("github user", |c| format!("ghu_{}", c.alnum(36))),
    ("github server", |c| format!("ghs_{}", c.alnum(36))),
    ("github refresh", |c| format!("ghr_{}", c.alnum(76))),
    ("github fine-grained", |c| {
        format!("github_pat_{}_{}", c.alnum(22), c.alnum(59))
    }),
    ("gitlab personal", |c| format!("glpat-{}", c.url(20))),
    ("gitlab runner", |c| format!("glrt-{}", c.url(20))),
    ("gitlab deploy", |c| format!("gldt-{}", c.url(20))),
    ("slack bot", |c| {
        format!("xoxb-{}-{}-{}", c.digits(12), c.digits(12), c.alnum(24))
    }),
    ("slack user", |c| {
        let parts = [c.digits(12), c.digits(12), c.digits(12)].join("-");
        format!("xoxp-{parts}-{}", c.hex(32))
    }),
    ("slack app", |c| {
        format!("xapp-1-A{}-{}-{}", c.of(UPPER, 10), c.digits(13), c.hex(64))
    }),
    ("stripe live", |c| format!("sk_live_{}", c.alnum(24))),
    ("stripe restricted", |c| format!("rk_live_{}", c.alnum(24))),
    ("stripe test", |c| format!("sk_test_{}", c.alnum(24))),
    ("stripe webhook", |c| format!("whsec_{}", c.alnum(32))),
    ("openai", |c| format!("sk-{}", c.alnum(48))),
    ("openai project", |c| format!("sk-proj-{}", c.url(74))),
    ("anthropic", |c| format!("sk-ant-api03-{}AA", c.url(93))),
    ("google api", |c| format!("AIza{}", c.url(35))),
    ("google oauth", |c| format!("ya29.{}", c.url(120))),
    ("google client", |c| format!("GOCSPX-{}", c.url(28))),
    ("npm", |c| format!("npm_{}", c.alnum(36))),
    ("pypi", |c| format!("pypi-AgEIcHlwaS5vcmc{}", c.url(80))),
    ("rubygems", |c| format!("rubygems_{}", c.hex(48))),
    ("sendgrid", |c| format!("SG.{}.{}", c.url(22), c.url(43))),
    ("twilio", |c| format!("SK{}", c.hex(32))),
    ("hugging face", |c| format!("hf_{}", c.alnum(34))),
    ("digitalocean", |c| format!("dop_v1_{}", c.hex(64))),
    ("heroku", |c| format!("HRKU-{}", c.url(60))),
    ("shopify", |c| format!("shpat_{}", c.hex(32))),
    ("vault", |c| format!("hvs.{}", c.url(95))),
    ("databricks", |c| format!("dapi{}", c.hex(32))),
    ("grafana", |c| format!("glsa_{}_{}", c.alnum(32), c.hex(8))),
    ("groq", |c| format!("gsk_{}", c.alnum(52))),
    ("replicate", |c| format!("r8_{}", c.alnum(37))),
    ("docker", |c| format!("dckr_pat_{}", c.url(27))),
    ("linear", |c| format!("lin_api_{}", c.alnum(40))),
    ("notion", |c| format!("ntn_{}{}", c.digits(11), c.alnum(35))),
    ("figma", |c| format!("figd_{}", c.url(43))),
    ("atlassian", |c| format!("ATATT3{}", c.url(186))),
    ("mailgun", |c| format!("key-{}", c.hex(32))),
    ("postman", |c| format!("PMAK-{}-{}", c.hex(24), c.hex(34))),
    ("age", |c| format!("AGE-SECRET-KEY-1{}", c.of(UPPER, 58))),
    ("telegram", |c| format!("{}:AA{}", c.digits(10), c.url(33))),
    ("discord bot", |c| {
        format!("M{}.{}.{}", c.alnum(25), c.url(6), c.url(38))
    }),
    ("jwt", |c| {
        format!("eyJ{}.eyJ{}.{}", c.alnum(33), c.alnum(90), c.url(43))
    }),
    ("azure client", |c| {
        format!("{}8Q~{}", c.alnum(3), c.alnum(34))
    }),
    ("slack webhook", |c| {
        format!("T{}/B{}/{}", c.of(UPPER, 8), c.of(UPPER, 8), c.alnum(24))
    }),
    ("discord webhook", |c| c.url(68)),
];

/// Values that only their names reveal: passwords as people and machines make them.
pub(crate) const PASSWORDS: &[Kind] = &[
    ("word and digits", |c| {
        format!("{}{}", c.of(LOWER, 7), c.digits(2))
    }),
    ("mixed", |c| {
        format!("{}{}{}", c.of(UPPER, 1), c.of(LOWER, 5), c.digits(3))
    }),
    ("with signs", |c| {
        format!(
            "{}{}{}",
            c.alnum(6),
            c.pick(&["!", "#", "%", "^", "*", "+", "@"]),
            c.alnum(4)
        )
    }),
    ("long random", |c| c.alnum(24)),
    ("hex", |c| c.hex(32)),
    ("base64", |c| format!("{}==", c.base64(22))),
];

/// Tokens without a maker's form.
pub(crate) const TOKENS: &[Kind] = &[
    ("hex 40", |c| c.hex(40)),
    ("hex 64", |c| c.hex(64)),
    ("letters and digits", |c| c.alnum(32)),
    ("url-safe", |c| c.url(43)),
    ("uuid", Chance::uuid),
    ("base64", |c| format!("{}=", c.base64(43))),
];
