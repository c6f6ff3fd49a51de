//! Lines: messages on standard input and output, a line each. Every request gets its answer, for any bytes.
//!
//! A line has a maximum length; of a longer one only the id is kept. Lines are written by a task of its own, so that an
//! answer is never cut by a call that ends. The number of running requests is bounded; the next ones wait in the pipe.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use super::id_scan::IdScan;
use super::intake::{self, Fault};

/// Maximum running requests.
const AT_WORK_MAX: usize = 256;
/// Lines that wait to be written.
const WAITING_MAX: usize = 16;

/// The transport.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    most: usize,
    line: Vec<u8>,
    /// Of a line that is too long, as far as it was read.
    passed_over: Option<IdScan>,
    /// Messages of a batch.
    batch: VecDeque<Value>,
    /// An answer of our own.
    fault: Option<Fault>,
    /// A session began, or requests that need none.
    has_begun: bool,
    at_work: Arc<AtWork>,
    output: Option<mpsc::Sender<Vec<u8>>>,
}

/// The requests that have no answer yet.
#[derive(Default)]
struct AtWork {
    ids: Mutex<HashSet<RequestId>>,
    freed: Notify,
}

impl AtWork {
    /// Adds a request; false if another one has its id.
    fn begin(&self, id: RequestId) -> bool {
        self.ids
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id)
    }

    fn end(&self, id: &RequestId) {
        self.ids
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id);
        self.freed.notify_one();
    }

    async fn room(&self) {
        loop {
            let count = self
                .ids
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .len();
            if count < AT_WORK_MAX {
                return;
            }
            self.freed.notified().await;
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Lines<R> {
    /// Reads lines of up to `most` bytes. The task ends when all lines are written, after the transport is gone.
    pub(super) fn new<W>(input: R, mut output: W, most: usize) -> (Self, JoinHandle<()>)
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, mut lines) = mpsc::channel::<Vec<u8>>(WAITING_MAX);
        let writer = tokio::spawn(async move {
            while let Some(line) = lines.recv().await {
                let written = async {
                    output.write_all(&line).await?;
                    output.flush().await
                };
                // Without a reader no answer can arrive.
                if written.await.is_err() {
                    return;
                }
            }
        });
        let lines = Self {
            input: BufReader::new(input),
            most,
            line: Vec::new(),
            passed_over: None,
            batch: VecDeque::new(),
            fault: None,
            has_begun: false,
            at_work: Arc::default(),
            output: Some(sender),
        };
        (lines, writer)
    }

    /// Reads up to the end of a line; false at the end of the input. Bytes already read stay if it is cancelled.
    async fn read_line(&mut self) -> bool {
        loop {
            let Ok(chunk) = self.input.fill_buf().await else {
                return false;
            };
            if chunk.is_empty() {
                // The last line may lack its end.
                return !self.line.is_empty() || self.passed_over.is_some();
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(chunk.len(), |end| end + 1);
            if let Some(scan) = &mut self.passed_over {
                scan.feed(&chunk[..taken]);
            } else if self.line.len() + taken > self.most {
                let mut scan = IdScan::default();
                scan.feed(&std::mem::take(&mut self.line));
                scan.feed(&chunk[..taken]);
                self.passed_over = Some(scan);
            } else {
                self.line.extend_from_slice(&chunk[..taken]);
            }
            self.input.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }

    /// The message of the line that was read.
    fn parsed(&mut self) -> Result<Option<ClientJsonRpcMessage>, Fault> {
        if let Some(mut scan) = self.passed_over.take() {
            return Err(Fault::too_large(scan.taken(), self.most));
        }
        let line = std::mem::take(&mut self.line);
        match intake::of_line(&line)? {
            Some(Value::Array(batch)) if !batch.is_empty() => {
                self.batch = batch.into();
                Ok(None)
            }
            Some(value) => self.admitted(value),
            None => Ok(None),
        }
    }

    fn admitted(&mut self, value: Value) -> Result<Option<ClientJsonRpcMessage>, Fault> {
        let Some((value, message)) = intake::message(value)? else {
            return Ok(None);
        };
        match &message {
            ClientJsonRpcMessage::Request(request) => {
                if !self.at_work.begin(request.id.clone()) {
                    let words = "another request with this `id` is running; give each its own";
                    return Err(Fault::invalid(intake::id_of(&value), words));
                }
                self.has_begun |= begins(&request.request);
            }
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // The SDK drops its answer.
                    self.at_work.end(id);
                }
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        // Before a session begins, the SDK takes anything but a request for the end.
        let is_request = matches!(message, ClientJsonRpcMessage::Request(_));
        Ok(Some(message).filter(|_| self.has_begun || is_request))
    }

    /// Writes an answer of our own; false if there is no reader.
    async fn answer_fault(&mut self) -> bool {
        if self.fault.is_none() {
            return true;
        }
        let Some(output) = &self.output else {
            return false;
        };
        let Ok(place) = output.reserve().await else {
            return false;
        };
        if let Some(fault) = self.fault.take() {
            place.send(line_of(fault.value().to_string().into_bytes()));
        }
        true
    }
}

/// Returns true if a session, or a conversation without one, begins with a request.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
                .is_empty()
        }
    }
}

fn line_of(mut text: Vec<u8>) -> Vec<u8> {
    text.push(b'\n');
    text
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let id = match &message {
            ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
            ServerJsonRpcMessage::Error(error) => error.id.clone(),
            ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
        };
        let text = serde_json::to_vec(&message);
        let (output, at_work) = (self.output.clone(), Arc::clone(&self.at_work));
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let output = output.ok_or_else(closed)?;
            let sent = output.send(line_of(text?)).await;
            if let Some(id) = id {
                at_work.end(&id);
            }
            sent.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if !self.answer_fault().await {
                return None;
            }
            self.at_work.room().await;
            let read = if let Some(value) = self.batch.pop_front() {
                self.admitted(value)
            } else if self.read_line().await {
                self.parsed()
            } else {
                return None;
            };
            match read {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(fault) => self.fault = Some(fault),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
