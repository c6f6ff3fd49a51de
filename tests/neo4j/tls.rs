//! Encryption from end to end: certificates are made here, a proxy holds them in front of the server's
//! plain port, and our side is the one that users have.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
use hindlore_store::ErrorKind;
use hindlore_testkit::{TestMemory, assert_same};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::server::Server;

/// A certificate authority, and the file with its certificate.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn new(folder: &TempDir, name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let file = folder.path().join(name);
        fs::write(&file, params.self_signed(&key).unwrap().pem()).unwrap();
        let issuer = Issuer::new(params, key);
        Self { issuer, file }
    }

    /// A server's certificate.
    fn sign(&self, name: &str, is_expired: bool) -> ServerConfig {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        if is_expired {
            params.not_before = date_time_ymd(2001, 1, 1);
            params.not_after = date_time_ymd(2002, 1, 1);
        }
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let secret = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], secret)
            .unwrap()
    }
}

/// Takes the encryption off, and counts the handshakes that succeeded.
struct Proxy {
    address: SocketAddr,
    shaken: Arc<AtomicUsize>,
}

impl Proxy {
    async fn start(server: &Server, config: ServerConfig) -> Self {
        let target = server.uri.split("://").nth(1).unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shaken = Arc::new(AtomicUsize::new(0));
        let (acceptor, count) = (TlsAcceptor::from(Arc::new(config)), shaken.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (acceptor, count, target) = (acceptor.clone(), count.clone(), target.clone());
                tokio::spawn(async move {
                    // A client that does not trust us ends the handshake, which is its right.
                    let Ok(mut client) = acceptor.accept(client).await else {
                        return;
                    };
                    count.fetch_add(1, Ordering::SeqCst);
                    let mut server = TcpStream::connect(&target).await.unwrap();
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        Self { address, shaken }
    }

    fn uri(&self, scheme: &str, host: &str) -> String {
        format!("{scheme}://{host}:{}", self.address.port())
    }

    fn shaken(&self) -> usize {
        self.shaken.load(Ordering::SeqCst)
    }
}

/// The server at another address.
fn at(server: &Server, uri: String, ca_file: Option<&PathBuf>) -> Server {
    Server {
        uri,
        ca_file: ca_file.cloned(),
        ..server.clone()
    }
}

/// A server that proves its name is used as any other, by either scheme, and by the program itself.
pub(crate) async fn trusted(server: Server) {
    let folder = TempDir::new().unwrap();
    let authority = Authority::new(&folder, "authority.pem");
    let proxy = Proxy::start(&server, authority.sign("localhost", false)).await;
    for scheme in ["bolt+s", "neo4j+s", "BOLT+S"] {
        let before = proxy.shaken();
        let uri = proxy.uri(scheme, "localhost");
        let encrypted = at(&server, uri, Some(&authority.file));
        let memory = TestMemory::on(&encrypted).await.unwrap().erased_at_end();
        memory
            .seed(&["close the valve", "open the file"])
            .await
            .unwrap();
        assert!(!memory.retrieve("valve").await.unwrap().bullets.is_empty());
        let plain = TestMemory::over(server.store().await.unwrap()).unwrap();
        let there = plain.engine.view(&memory.key).await.unwrap().unwrap();
        assert_same(&memory.view().await.unwrap(), &there);
        assert!(proxy.shaken() > before, "{scheme} went past the proxy");
    }
    let before = proxy.shaken();
    let mut program = Command::new(crate::PROGRAM);
    program
        .args(["doctor", "--json", "--tenant", "nobody", "--store"])
        .arg(proxy.uri("neo4j+s", "localhost"))
        .env("NEO4J_USERNAME", &server.user)
        .env("NEO4J_PASSWORD", &server.password)
        .env("NEO4J_DATABASE", &server.database)
        .env("NEO4J_CA_FILE", &authority.file)
        .env("HOME", folder.path());
    let ran = tokio::task::spawn_blocking(move || program.output().unwrap());
    let ran = ran.await.unwrap();
    let told = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(told.contains("\"schema\""), "{ran:?}");
    assert!(proxy.shaken() > before, "the program went past the proxy");
}

async fn refused(options: Neo4jOptions, kind: ErrorKind, words: &[&str]) {
    let connected = Neo4jStore::connect(options).await;
    let error = connected.map(|_| ()).unwrap_err();
    let message = error.to_string();
    assert_eq!(error.kind(), kind, "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` in {message}");
    }
    assert!(!message.contains("Some("), "{message}");
}

/// A server that cannot prove its name is refused before anything is sent, with a remedy.
pub(crate) async fn untrusted(server: Server) {
    let folder = TempDir::new().unwrap();
    let authority = Authority::new(&folder, "authority.pem");
    let stranger = Authority::new(&folder, "stranger.pem");
    let good = Proxy::start(&server, authority.sign("localhost", false)).await;
    let old = Proxy::start(&server, authority.sign("localhost", true)).await;
    let by_name = good.uri("bolt+s", "localhost");
    let by_number = good.uri("neo4j+s", "127.0.0.1");
    let expired = old.uri("bolt+s", "localhost");
    for (uri, file, word) in [
        (&by_name, None, "no trusted authority"),
        (&by_name, Some(&stranger.file), "no trusted authority"),
        (&by_number, Some(&authority.file), "another name"),
        (&expired, Some(&authority.file), "expired"),
    ] {
        let options = at(&server, uri.clone(), file).options();
        refused(options, ErrorKind::Unavailable, &[word, "certificate"]).await;
    }
    assert_eq!(good.shaken() + old.shaken(), 0, "a refused server was used");
}

/// Encryption to a plain port, none to an encrypted one, and unusable CA files.
pub(crate) async fn mistaken(server: Server) {
    let folder = TempDir::new().unwrap();
    let authority = Authority::new(&folder, "authority.pem");
    let proxy = Proxy::start(&server, authority.sign("localhost", false)).await;
    let plain_port = server.uri.replace("bolt://", "bolt+s://");
    let plain_port = at(&server, plain_port, Some(&authority.file)).options();
    refused(plain_port, ErrorKind::Unavailable, &["without +s"]).await;
    let encrypted_port = at(&server, proxy.uri("bolt", "localhost"), None).options();
    refused(encrypted_port, ErrorKind::Foreign, &["bolt+s://"]).await;

    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "no certificate at all\n").unwrap();
    let damaged = folder.path().join("damaged.pem");
    fs::write(
        &damaged,
        "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n",
    )
    .unwrap();
    let missing = folder.path().join("missing.pem");
    let uri = proxy.uri("bolt+s", "localhost");
    for (file, word) in [
        (&empty, "holds no certificate"),
        (&damaged, "is damaged"),
        (&missing, "cannot be read"),
    ] {
        let name = file.file_name().unwrap().to_str().unwrap();
        let options = at(&server, uri.clone(), Some(file)).options();
        refused(options, ErrorKind::Invalid, &[word, name]).await;
    }
    for scheme in ["bolt", "neo4j", "bolt+ssc"] {
        let uri = proxy.uri(scheme, "localhost");
        let options = at(&server, uri, Some(&authority.file)).options();
        refused(
            options,
            ErrorKind::Invalid,
            &["protect nothing", "bolt+s://"],
        )
        .await;
    }
    // Encrypted to any server, because the address asks for it.
    let before = proxy.shaken();
    for scheme in ["bolt+ssc", "neo4j+ssc"] {
        let options = at(&server, proxy.uri(scheme, "127.0.0.1"), None).options();
        Neo4jStore::connect(options).await.unwrap();
    }
    assert!(proxy.shaken() >= before + 2);
}
