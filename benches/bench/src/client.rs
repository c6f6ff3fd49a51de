//! A client of HTTP with one connection that stays open, so that its own work is small and the same for every server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use super::EvalError;

/// A client with one connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    /// Connects to a server.
    pub(crate) fn to(address: SocketAddr) -> Result<Self, EvalError> {
        let stream = TcpStream::connect(address).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        Ok(Self {
            stream: BufReader::new(stream),
        })
    }

    /// Sends a body and reads the whole body of the answer, which must be a success.
    pub(crate) fn ask(&mut self, route: &str, body: &str) -> Result<Vec<u8>, EvalError> {
        let head = format!(
            "POST {route} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let request = [head.as_bytes(), body.as_bytes()].concat();
        self.stream.get_mut().write_all(&request).map_err(failed)?;
        let (mut line, mut length) = (String::new(), 0);
        let mut is_first = true;
        loop {
            line.clear();
            self.stream.read_line(&mut line).map_err(failed)?;
            if is_first && !line.starts_with("HTTP/1.1 200") {
                return Err(failed(format!("{route} answers {}", line.trim())));
            }
            is_first = false;
            if line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().map_err(failed)?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).map_err(failed)?;
        Ok(answer)
    }
}

fn failed(why: impl ToString) -> EvalError {
    EvalError::new(why.to_string(), "see that the server runs, and try again")
}
