//! Accepts connections and speaks HTTP/1 on them, with limits for all that a client may leave undone.
//!
//! It runs on threads of its own, where nothing is computed: heads are read and `/healthz` is answered while verbs run.
//! A head has to be complete within `HEAD_TIME`, which also ends a connection that has no next request; a client that
//! does not read its answer is dropped after `STALL_TIME`. After the last answer the rest of a client's input is read
//! and thrown away for a moment, because closing at once could destroy the answer on its way.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Response;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Sleep, sleep, timeout};

use super::App;
use super::connections::Place;
use super::problem::{answer, crowded};

/// Time for a head, and for a connection without a request.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// Largest head; an address alone may have nearly 64 KiB.
const HEAD_BYTES_MAX: usize = 80 << 10;
/// Time in which a client has to read some of its answer.
const STALL_TIME: Duration = Duration::from_secs(30);
/// Time and bytes for input after the last answer.
const REST: (Duration, u64) = (Duration::from_secs(1), 8 << 20);
/// Pause after a connection could not be accepted, for want of files above all.
const PAUSE: Duration = Duration::from_millis(20);

/// Accepts connections until the server stops, then waits for those that are open.
pub(super) async fn accept(app: Arc<App>, listener: TcpListener, router: Router) {
    let mut stopping = app.ending.clone();
    // Every connection holds a receiver.
    let (open, held) = watch::channel(());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ended(&mut stopping) => break,
        };
        let Ok((stream, address)) = accepted else {
            app.connections.close_one();
            sleep(PAUSE).await;
            continue;
        };
        // Small answers must not wait for more bytes.
        let _ = stream.set_nodelay(true);
        match app.connections.admit(address.ip()) {
            Some(place) => {
                let serving = served(place, stream, (router.clone(), app.ending.clone()));
                let held = held.clone();
                tokio::spawn(async move {
                    serving.await;
                    drop(held);
                });
            }
            None => refuse(&stream),
        }
    }
    drop((listener, held));
    open.closed().await;
}

/// Answers without reading: all connections work.
fn refuse(stream: &TcpStream) {
    let head = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    // The client may be gone.
    let _ = stream.try_write(head.as_bytes());
}

/// Answers the requests of one connection.
async fn served(
    place: Place,
    stream: TcpStream,
    (router, mut stopping): (Router, watch::Receiver<bool>),
) {
    let connection = place.connection.clone();
    let service = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        let (connection, service) = (connection.clone(), service.clone());
        request.extensions_mut().insert(connection.clone());
        let answering: Answering = Box::pin(async move {
            if !connection.begin_work() {
                return Ok(answer(&crowded()));
            }
            let response = hyper::service::Service::call(&service, request).await;
            connection.end_work();
            response
        });
        answering
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES_MAX);
    let io = TokioIo::new(Paced {
        stream,
        stalled: None,
    });
    let mut serving = builder.serve_connection(io, service);
    let mut left = pin!(place.connection.left());
    let mut is_last = false;
    let done = loop {
        tokio::select! {
            done = poll_fn(|cx| serving.poll_without_shutdown(cx)) => break done,
            () = &mut left => return,
            () = ended(&mut stopping), if !is_last => {
                is_last = true;
                Pin::new(&mut serving).graceful_shutdown();
            }
        }
    };
    if done.is_ok() && !is_last {
        read_rest(serving.into_parts().io.into_inner().stream).await;
    }
}

/// Is done when the server stops.
async fn ended(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
}

type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// Ends the output of the server, and discards further input of the client.
async fn read_rest(mut stream: TcpStream) {
    let (time, bytes) = REST;
    let reading = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream.take(bytes), &mut tokio::io::sink()).await
    };
    let _ = timeout(time, reading).await;
}

/// A stream that fails when its client reads nothing for `STALL_TIME`.
struct Paced {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    fn paced(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(STALL_TIME)));
        match stalled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.paced(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.paced(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
