//! The checks of a token: its algorithm is one of few, the provider's key signed it, and its claims are for this server
//! and now.

use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde_json::{Map, Value};

use super::ring;
use hindlore_api::server::Issuer;

/// The accepted algorithms. All have a public key, so that a holder of the checking key cannot make a token.
const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::RS256,
    Algorithm::PS256,
    Algorithm::ES256,
    Algorithm::EdDSA,
];
/// Seconds by which clocks may differ.
const LEEWAY_S: u64 = 30;
/// Largest token, in bytes.
const TOKEN_BYTES_MAX: usize = 16 * 1024;

/// Reads a token's head, of which nothing is proved.
pub(super) fn head(token: &str) -> Result<Header, String> {
    if token.len() > TOKEN_BYTES_MAX {
        return Err(format!("it has more than {TOKEN_BYTES_MAX} bytes"));
    }
    let head = decode_header(token).map_err(|error| reason(&error))?;
    if !ALGORITHMS.contains(&head.alg) {
        return Err(format!(
            "it is signed by {:?}; RS256, PS256, ES256 and EdDSA are taken",
            head.alg
        ));
    }
    // A critical declaration of the signer must be understood (RFC 7515 §4.1.11), and this server knows no extension.
    if head.crit.is_some() {
        return Err("its head declares extensions critical, and none is known here".to_owned());
    }
    Ok(head)
}

/// The claims of a token that holds.
pub(super) fn claims(
    token: &str,
    head: &Header,
    key: &Jwk,
    issuer: &Issuer,
) -> Result<Map<String, Value>, String> {
    ring::install();
    let own = key.common.key_algorithm;
    if own.is_some_and(|own| own.to_string() != format!("{:?}", head.alg)) {
        return Err("its algorithm is another than that of the key".to_owned());
    }
    let key = DecodingKey::from_jwk(key).map_err(|error| reason(&error))?;
    let mut rules = Validation::new(head.alg);
    rules.leeway = LEEWAY_S;
    rules.validate_nbf = true;
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    rules.set_issuer(&[&issuer.url]);
    rules.set_audience(&[&issuer.audience]);
    decode(token, &key, &rules)
        .map(|token| token.claims)
        .map_err(|error| reason(&error))
}

/// Why a token is refused, in words; the library's messages about odd ones may quote them.
fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::ExpiredSignature => "it has expired".to_owned(),
        ErrorKind::ImmatureSignature => "it does not hold yet".to_owned(),
        ErrorKind::InvalidAudience => "it is for another audience".to_owned(),
        ErrorKind::InvalidIssuer => "it is of another issuer".to_owned(),
        ErrorKind::InvalidSignature => "its signature is wrong".to_owned(),
        ErrorKind::InvalidAlgorithm => "its algorithm does not go with the key".to_owned(),
        ErrorKind::MissingRequiredClaim(name) => format!("it has no claim `{name}`"),
        _ => "it is no signed token".to_owned(),
    }
}

#[cfg(test)]
#[path = "signature/tests.rs"]
mod tests;
