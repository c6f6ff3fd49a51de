//! The server: one request per connection, bounded in size, time, and number.
//!
//! Any page may read any file (`Access-Control-Allow-Origin: *`): the files are constant, the same for all,
//! and contain nothing of any memory.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::pack::{File, TEXT, files};
use super::request::{Method, Refusal, parse};

/// Maximum bytes of a request head.
const HEAD_BYTES_MAX: usize = 8 * 1024;
/// Time allowed for a request to arrive, and for an answer to leave.
const PATIENCE: Duration = Duration::from_secs(5);
/// Connections served at a time; others wait in the system's queue.
const CONNECTIONS_MAX: usize = 32;
/// Bytes read and discarded after an answer: closing with unread input would reset the connection and could
/// lose the answer.
const REST_BYTES_MAX: usize = 256 * 1024;
/// Pause after a failed accept, for instance without free file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until dropped.
pub(crate) async fn serve(listener: TcpListener) {
    let files = Arc::new(files());
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, peer)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        if !peer.ip().is_loopback() {
            continue;
        }
        let files = Arc::clone(&files);
        tokio::spawn(async move {
            // A client that leaves or is too slow gets no answer.
            let _ = timeout(PATIENCE, answer(stream, &files)).await;
            drop(place);
        });
    }
}

async fn answer(mut stream: TcpStream, files: &[File]) -> io::Result<()> {
    let answer = match head(&mut stream).await? {
        Some(head) => respond(&head, files),
        None => refuse(
            "431 Request Header Fields Too Large",
            "the request is too long",
        ),
    };
    stream.write_all(&answer).await?;
    stream.shutdown().await?;
    let mut rest = [0; 4096];
    let mut read = 0;
    while read < REST_BYTES_MAX {
        match stream.read(&mut rest).await? {
            0 => break,
            more => read += more,
        }
    }
    Ok(())
}

/// Reads a request head; none if it is too long.
async fn head(stream: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while head.len() < HEAD_BYTES_MAX {
        let read = stream.read(&mut part).await?;
        head.extend_from_slice(&part[..read]);
        let is_whole = head.windows(4).any(|four| four == b"\r\n\r\n");
        if is_whole || read == 0 {
            return Ok(Some(head));
        }
    }
    Ok(None)
}

fn respond(head: &[u8], files: &[File]) -> Vec<u8> {
    let request = match parse(head) {
        Ok(request) => request,
        Err(Refusal::Malformed) => return refuse("400 Bad Request", "this is no request"),
        Err(Refusal::ForeignHost) => {
            return refuse("403 Forbidden", "only localhost is served here");
        }
        Err(Refusal::Method) => {
            return refuse("405 Method Not Allowed", "there are GET, HEAD and OPTIONS");
        }
    };
    let file = files.iter().find(|file| file.path == request.path);
    match (request.method, file) {
        (_, None) => refuse("404 Not Found", "there is no such file"),
        (Method::Options, Some(_)) => message("204 No Content", TEXT, b"", 0),
        (Method::Head, Some(file)) => message("200 OK", file.media, b"", file.bytes.len()),
        (Method::Get, Some(file)) => message("200 OK", file.media, &file.bytes, file.bytes.len()),
    }
}

fn refuse(status: &str, why: &str) -> Vec<u8> {
    let text = format!("{why}\n");
    message(status, TEXT, text.as_bytes(), text.len())
}

fn message(status: &str, media: &str, body: &[u8], length: usize) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\n\
         Content-Type: {media}\r\n\
         Content-Length: {length}\r\n\
         Allow: GET, HEAD, OPTIONS\r\n\
         Access-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: GET, HEAD, OPTIONS\r\n\
         Access-Control-Allow-Headers: *\r\n\
         Access-Control-Allow-Private-Network: true\r\n\
         Cache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Connection: close\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
