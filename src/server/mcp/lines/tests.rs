//! Every request has its answer, and nothing that a client sends ends the reading or takes much memory.

use rmcp::model::ErrorData;
use serde_json::json;
use tokio::io::{DuplexStream, duplex};

use super::*;

const MOST: usize = 1_000;

struct Client {
    lines: Lines<DuplexStream>,
    sender: DuplexStream,
    answers: BufReader<DuplexStream>,
}

fn client() -> Client {
    let (sender, input) = duplex(1 << 16);
    let (output, answers) = duplex(1 << 16);
    let (lines, _) = Lines::new(input, output, MOST);
    Client {
        lines,
        sender,
        answers: BufReader::new(answers),
    }
}

impl Client {
    async fn send(&mut self, bytes: &[u8]) {
        self.sender.write_all(bytes).await.unwrap();
    }

    /// The id of the next message that reaches the SDK.
    async fn received(&mut self) -> String {
        match self.lines.receive().await.unwrap() {
            ClientJsonRpcMessage::Request(request) => request.id.to_string(),
            other => format!("{other:?}"),
        }
    }

    async fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n";

#[tokio::test]
async fn what_is_no_request_is_answered_and_the_next_one_is_read() {
    let mut client = client();
    client.send(b"not json\n\n").await;
    client.send(b"{\"id\":1,\"x\":\"").await;
    client.send(&[b'x'; 3 * MOST]).await;
    client.send(b"\"}\n{\"jsonrpc\":\"2.0\",\"id\":2}\n").await;
    client.send(b"{\"x\":\"").await;
    client.send(&[b'x'; 3 * MOST]).await;
    client.send(b"\",\"id\":3}\n").await;
    client.send(PING).await;
    assert_eq!(client.received().await, "ping");
    for (id, code) in [
        (json!(null), -32700),
        (json!(1), -32600),
        (json!(2), -32600),
        (json!(3), -32600),
    ] {
        let answer = client.answer().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(code))
        );
    }
    assert!(client.lines.line.capacity() <= 2 * MOST);
}

#[tokio::test]
async fn a_batch_is_its_messages_and_the_last_line_needs_no_end() {
    let mut client = client();
    client
        .send(b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},5,{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n[]\n")
        .await;
    client.send(&PING[..PING.len() - 1]).await;
    client.sender.shutdown().await.unwrap();
    for id in ["1", "2", "ping"] {
        assert_eq!(client.received().await, id);
    }
    assert!(client.lines.receive().await.is_none());
    for _ in 0..2 {
        assert_eq!(client.answer().await["error"]["code"], -32600);
    }
}

#[tokio::test]
async fn an_id_at_work_is_refused_until_it_has_its_answer() {
    let mut client = client();
    client.send(PING).await;
    client.send(PING).await;
    client
        .send(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n")
        .await;
    assert_eq!(client.received().await, "ping");
    assert_eq!(client.received().await, "2");
    assert_eq!(client.answer().await["id"], "ping");
    let error = ErrorData::internal_error("done", None);
    let id = RequestId::String("ping".into());
    client
        .lines
        .send(ServerJsonRpcMessage::error(error, Some(id)))
        .await
        .unwrap();
    assert_eq!(client.answer().await["error"]["message"], "done");
    client.send(PING).await;
    assert_eq!(client.received().await, "ping");
}

#[tokio::test]
async fn requests_beyond_the_limit_wait() {
    let mut client = client();
    for id in 0..=AT_WORK_MAX {
        client
            .send(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n").as_bytes())
            .await;
    }
    for id in 0..AT_WORK_MAX {
        assert_eq!(client.received().await, id.to_string());
    }
    {
        let waiting = std::pin::pin!(client.lines.receive());
        assert!(ready(waiting).is_none());
    }
    client.lines.at_work.end(&RequestId::Number(0));
    assert_eq!(client.received().await, AT_WORK_MAX.to_string());
}

/// The result of a future that is ready.
fn ready<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.poll(&mut context) {
        std::task::Poll::Ready(done) => Some(done),
        std::task::Poll::Pending => None,
    }
}

#[tokio::test]
async fn before_a_session_only_requests_are_taken() {
    let mut client = client();
    let told = b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    client.send(told).await;
    client.send(PING).await;
    assert_eq!(client.received().await, "ping");
    client.send(b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n").await;
    assert_eq!(client.received().await, "0");
    client.send(told).await;
    assert!(client.received().await.contains("Initialized"));
}
