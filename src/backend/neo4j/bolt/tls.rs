//! Encryption: trusted authorities, and the meaning of a refused handshake.
//!
//! The scheme of the address decides. `bolt` and `neo4j` send everything in the clear. `+s` encrypts and verifies the
//! server's name, against this machine's authorities or those in a file, never both. `+ssc` encrypts without verifying:
//! it stops an eavesdropper, but not a man in the middle, who would get the password; so every use is logged. An authority
//! file with a scheme that ignores it is refused, since it would only seem to protect.

use std::io;
use std::path::Path;

use neo4rs::{ConfigBuilder, Error};
use rustls::CertificateError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::address::shown;
use hindlore_store::{ErrorKind, StoreError, StoreResult};

/// Replaces the machine's authorities by those of `file`.
pub(crate) fn trust(
    config: ConfigBuilder,
    uri: &str,
    file: Option<&Path>,
) -> StoreResult<ConfigBuilder> {
    let scheme = uri.split("://").next().unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    let is_verified = scheme.ends_with("+s");
    if scheme.ends_with("+ssc") {
        let server = shown(uri);
        tracing::warn!(server, "encrypted, and nobody checks who the server is");
    }
    let Some(file) = file else { return Ok(config) };
    if !is_verified {
        let (server, name) = (shown(uri), file.display());
        return Err(invalid(format!(
            "`{server}` checks no certificate, so `{name}` would protect nothing; write the address with \
             bolt+s:// or neo4j+s://, or leave the file out"
        )));
    }
    check(file)?;
    Ok(config.with_client_certificate(file))
}

/// Refuses a file without certificates, which the driver would accept and then trust no server at all.
fn check(file: &Path) -> StoreResult<()> {
    let name = file.display();
    let mut read = CertificateDer::pem_file_iter(file)
        .map_err(|error| {
            invalid(format!(
                "the authorities' file `{name}` cannot be read ({error}); check its path"
            ))
        })?
        .peekable();
    if read.peek().is_none() {
        return Err(invalid(format!(
            "the authorities' file `{name}` holds no certificate; it must be in PEM form"
        )));
    }
    match read.find_map(Result::err) {
        None => Ok(()),
        Some(error) => Err(invalid(format!(
            "the authorities' file `{name}` is damaged ({error}); copy it anew"
        ))),
    }
}

fn invalid(context: String) -> StoreError {
    StoreError::new(ErrorKind::Invalid, "connect", context)
}

/// The reason of a failed handshake; `None` for another failure.
pub(super) fn refusal(error: &Error) -> Option<&'static str> {
    let Error::IOError { detail } = error else {
        return None;
    };
    let cause = detail.get_ref()?.downcast_ref::<rustls::Error>()?;
    use CertificateError as Bad;
    Some(match cause {
        rustls::Error::InvalidCertificate(Bad::UnknownIssuer | Bad::BadSignature) => {
            "has a certificate that no trusted authority vouches for; name the file of its authority \
             (neo4j.ca_file, NEO4J_CA_FILE)"
        }
        rustls::Error::InvalidCertificate(
            Bad::NotValidForName | Bad::NotValidForNameContext { .. },
        ) => "has a certificate for another name; use the name that it was made for",
        rustls::Error::InvalidCertificate(Bad::Expired | Bad::ExpiredContext { .. }) => {
            "has a certificate that has expired; renew it, and check this machine's clock"
        }
        rustls::Error::InvalidCertificate(Bad::NotValidYet | Bad::NotValidYetContext { .. }) => {
            "has a certificate that is not valid yet; check this machine's clock"
        }
        rustls::Error::InvalidCertificate(_) => {
            "has a certificate that cannot be accepted; the cause follows"
        }
        rustls::Error::InvalidMessage(_) => {
            "does not encrypt at this port; check the port, or write the address without +s"
        }
        _ => "refused to encrypt; the cause follows",
    })
}

/// True when the other side hung up during the handshake, so nothing was sent yet.
pub(super) fn is_cut_handshake(error: &Error) -> bool {
    let Error::IOError { detail } = error else {
        return false;
    };
    detail.kind() == io::ErrorKind::UnexpectedEof && detail.to_string() == "tls handshake eof"
}
