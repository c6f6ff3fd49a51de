//! Signatures checked by ring. The library for tokens brings two other cryptographies, of which neither is needed.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::signature::{Error, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

/// Makes ring the cryptography of tokens. Nothing is signed.
pub(super) fn install() {
    static PROVIDER: CryptoProvider = CryptoProvider {
        signer_factory: |_, _| Err(ErrorKind::InvalidAlgorithm.into()),
        verifier_factory: |algorithm, key| {
            Ok(Box::new(ByRing {
                algorithm: *algorithm,
                key: key.clone(),
            }))
        },
        key_utils: KeyUtils::new_unimplemented(),
    };
    // It is there already from the second server of a process on.
    let _ = PROVIDER.install_default();
}

struct ByRing {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for ByRing {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for ByRing {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Error> {
        let plain = |algorithm: &'static dyn VerificationAlgorithm| {
            let key = self.key.try_get_as_bytes().ok()?;
            let key = UnparsedPublicKey::new(algorithm, key);
            key.verify(message, signature).ok()
        };
        let rsa = |parameters| match self.key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => RsaPublicKeyComponents { n, e }
                .verify(parameters, message, signature)
                .ok(),
            DecodingKeyKind::SecretOrDer(_) => None,
        };
        let verified = match self.algorithm {
            Algorithm::ES256 => plain(&ECDSA_P256_SHA256_FIXED),
            Algorithm::EdDSA => plain(&ED25519),
            Algorithm::RS256 => rsa(&RSA_PKCS1_2048_8192_SHA256),
            Algorithm::PS256 => rsa(&RSA_PSS_2048_8192_SHA256),
            _ => None,
        };
        verified.ok_or_else(Error::new)
    }
}
