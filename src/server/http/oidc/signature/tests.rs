//! Tokens of another library are believed as far as their keys, claims and algorithms allow.

use serde_json::json;

use super::*;

/// Tokens of every algorithm, signed by another library (PyJWT 2) for keys that are gone; with claims for this issuer,
/// until 2286.
fn signed() -> Vec<(String, Jwk, String)> {
    let all: Value = serde_json::from_str(include_str!("tokens.json")).unwrap();
    let one = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        let key = serde_json::from_value(one["key"].clone()).unwrap();
        (text("algorithm"), key, text("token"))
    };
    all.as_array().unwrap().iter().map(one).collect()
}

fn issuer() -> Issuer {
    Issuer {
        url: "https://login.example".to_owned(),
        audience: "memory".to_owned(),
        tenant_claim: "tenant".to_owned(),
        learner_claim: None,
    }
}

fn checked(token: &str, key: &Jwk, issuer: &Issuer) -> Result<Map<String, Value>, String> {
    claims(token, &head(token)?, key, issuer)
}

#[test]
fn a_token_of_every_algorithm_with_a_public_key_is_believed() {
    let mut seen = Vec::new();
    for (algorithm, key, token) in signed() {
        if algorithm == "HS256" {
            continue;
        }
        let claims = checked(&token, &key, &issuer()).unwrap();
        assert_eq!(claims["sub"], "ada", "{algorithm}");
        assert_eq!(claims["tenant"], "acme");
        seen.push(algorithm);
    }
    assert_eq!(seen, ["RS256", "PS256", "ES256", "EdDSA"]);
}

#[test]
fn a_token_whose_secret_is_the_public_key_is_refused() {
    let confused: Vec<_> = signed()
        .into_iter()
        .filter(|(algorithm, ..)| algorithm == "HS256")
        .collect();
    assert_eq!(confused.len(), 2);
    for (_, key, token) in confused {
        let refused = checked(&token, &key, &issuer()).unwrap_err();
        assert!(refused.contains("signed by HS256"), "{refused}");
    }
}

#[test]
fn the_algorithm_of_a_token_is_that_of_its_key() {
    let all = signed();
    for (algorithm, _, token) in all.iter().take(4) {
        for (other, key, _) in all.iter().take(4) {
            let is_own = algorithm == other;
            assert_eq!(
                checked(token, key, &issuer()).is_ok(),
                is_own || same_key(algorithm, other),
                "{algorithm} by {other}"
            );
            // The key itself may name its algorithm.
            let mut named = serde_json::to_value(key).unwrap();
            named["alg"] = json!(other);
            let named: Jwk = serde_json::from_value(named).unwrap();
            assert_eq!(
                checked(token, &named, &issuer()).is_ok(),
                is_own,
                "{algorithm} by {other}"
            );
        }
    }
}

/// The two RSA tokens have one key, which names no algorithm for either.
fn same_key(one: &str, other: &str) -> bool {
    [one, other]
        .iter()
        .all(|name| ["RS256", "PS256"].contains(name))
}

#[test]
fn a_changed_token_is_refused() {
    let (_, key, token) = signed().swap_remove(2);
    let parts: Vec<&str> = token.split('.').collect();
    for at in [1, 2] {
        for place in 0..parts[at].len() - 2 {
            let mut changed = parts[at].as_bytes().to_vec();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            parts[at] = String::from_utf8(changed).unwrap();
            assert!(
                checked(&parts.join("."), &key, &issuer()).is_err(),
                "{at} {place}"
            );
        }
    }
}

#[test]
fn a_token_for_another_server_or_of_another_issuer_is_refused() {
    let (_, key, token) = signed().swap_remove(2);
    let said = |issuer: Issuer| checked(&token, &key, &issuer).unwrap_err();
    assert!(
        said(Issuer {
            audience: "other".to_owned(),
            ..issuer()
        })
        .contains("another audience")
    );
    assert!(
        said(Issuer {
            url: "https://login.example/".to_owned(),
            ..issuer()
        })
        .contains("another issuer")
    );
}

#[test]
fn what_is_no_token_is_refused_without_a_word_of_it() {
    // `alg: none` is no algorithm at all.
    let none = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.";
    for text in [
        "",
        ".",
        "..",
        "secret",
        "a.b.c",
        none,
        &"x".repeat(TOKEN_BYTES_MAX + 1),
    ] {
        let refused = head(text).unwrap_err();
        assert!(
            !refused.contains("secret") && refused.len() < 60,
            "{refused}"
        );
    }
}

#[test]
fn a_token_with_critical_extensions_is_refused() {
    // {"alg":"RS256","kid":"1","crit":["exp"]} and the same without `crit`; of a head nothing is proved yet.
    let critical = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEiLCJjcml0IjpbImV4cCJdfQ.e30.AA";
    assert!(head(critical).unwrap_err().contains("critical"));
    assert!(head("eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.AA").is_ok());
}
