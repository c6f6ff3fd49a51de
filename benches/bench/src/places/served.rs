//! Row 6: the CPU of a served retrieval, compared with a handler that answers the same bytes, and the rate of many
//! connections, compared with that of a few.
//!
//! The client works in this process, so the CPU of each side is that of its own process or threads.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::child::{Counts, at_least_half_a_tick};
use super::user::questions;
use super::{Run, failed};
use crate::client::Client;
use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};

const SIZE: u64 = 10_000;
const ROUTE: &str = "/v1/retrieve";
/// Requests of a round: of the bare handler, of retrievals without and with a record. Each takes some 0.5 s of CPU.
const REQUESTS: [usize; 3] = [10_000, 1_600, 800];
const FEW: usize = 8;
const MANY: usize = 64;
/// How many times the bare handler a retrieval may take, and how many times that a recorded one.
const PEEK_MAX: f64 = 3.0;
const RECORDED_MAX: f64 = 2.0;
/// The least rate of many connections, of that of a few.
const MANY_LEAST: f64 = 1.0;
/// Name of the threads of the bare handler.
const BARE: &str = "bare-handler";

/// Gives the seconds of CPU that a side has taken so far.
type Cpu<'a> = &'a dyn Fn() -> Result<f64, EvalError>;

/// Seconds and CPU of some requests.
#[derive(Clone, Copy, Default)]
struct Taken {
    requests: usize,
    seconds: f64,
    cpu: f64,
}

/// Measures one memory.
pub(super) fn rows(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let size = if run.plan.quick { 200 } else { SIZE };
    run.say(&format!("row 6: {size} bullets are written"));
    let served = Served::start(run, size)?;
    let questions = questions(size, 256);
    let bodies = |is_peek: bool| -> Vec<String> {
        let body = |question| json!({"query": question, "peek": is_peek}).to_string();
        questions.iter().map(body).collect()
    };
    let (peeks, recorded) = (bodies(true), bodies(false));
    let mut client = Client::to(served.address)?;
    for body in peeks.iter().chain(&recorded).take(run.often(320, 5)) {
        client.ask(ROUTE, body)?;
    }
    let bare = Bare::start(client.ask(ROUTE, &peeks[0])?)?;
    let mut taken = [Taken::default(); 3];
    for round in 0..run.often(3, 1) {
        run.say(&format!("row 6: CPU of requests, round {}", round + 1));
        let of_bare = || bare.cpu();
        let of_served = || served.cpu();
        let sides: [(SocketAddr, &[String], Cpu<'_>); 3] = [
            (bare.address, &peeks, &of_bare),
            (served.address, &peeks, &of_served),
            (served.address, &recorded, &of_served),
        ];
        for (at, (address, bodies, cpu)) in sides.into_iter().enumerate() {
            let requests = run.often(REQUESTS[at], REQUESTS[at] / 100);
            let before = cpu()?;
            let seconds = ask_all(address, bodies, FEW, requests)?;
            let after = cpu()?;
            taken[at].add(requests, seconds, after - before);
        }
    }
    report_cpu(size, taken, report);
    for (name, bodies) in [
        ("a retrieval, no record", &peeks),
        ("a recorded retrieval", &recorded),
    ] {
        let mut rates = [Taken::default(); 2];
        for round in 0..run.often(3, 1) {
            run.say(&format!("row 6: rates, round {}", round + 1));
            for (taken, connections) in rates.iter_mut().zip([FEW, MANY]) {
                let requests = run.often(4_096, MANY);
                let seconds = ask_all(served.address, bodies, connections, requests)?;
                taken.add(requests, seconds, 0.0);
            }
        }
        let [few, many] = rates.map(|taken| taken.requests as f64 / taken.seconds);
        let row = Row::measured(format!("6 {name}, {MANY} connections"), many, "1/s");
        let row = row.of_size(size);
        let row = row.beside(format!("{FEW} connections"), few, Ratio::OursToTheirs);
        report.push(row.with_goal(Goal::RatioAtLeast(MANY_LEAST)));
    }
    Ok(())
}

fn report_cpu(size: u64, taken: [Taken; 3], report: &mut Report) {
    let [bare, peek, recorded] =
        taken.map(|taken| at_least_half_a_tick(taken.cpu) / taken.requests as f64);
    for (name, ours, peer, theirs, goal) in [
        (
            "no record",
            peek,
            "a handler that answers the same bytes",
            bare,
            PEEK_MAX,
        ),
        (
            "recorded and durable",
            recorded,
            "without a record",
            peek,
            RECORDED_MAX,
        ),
    ] {
        let row = Row::measured(format!("6 CPU of a served retrieval, {name}"), ours, "s");
        let row = row.of_size(size).beside(peer, theirs, Ratio::OursToTheirs);
        report.push(row.with_goal(Goal::RatioAtMost(goal)));
    }
}

impl Taken {
    fn add(&mut self, requests: usize, seconds: f64, cpu: f64) {
        self.requests += requests;
        self.seconds += seconds;
        self.cpu += cpu;
    }
}

/// Sends requests over several connections at once; gives the seconds.
fn ask_all(
    address: SocketAddr,
    bodies: &[String],
    connections: usize,
    requests: usize,
) -> Result<f64, EvalError> {
    let mut clients: Vec<Client> = (0..connections)
        .map(|_| Client::to(address))
        .collect::<Result<_, _>>()?;
    let began = Instant::now();
    thread::scope(|scope| {
        let sending: Vec<_> = clients
            .iter_mut()
            .enumerate()
            .map(|(from, client)| {
                scope.spawn(move || {
                    for number in (from..requests).step_by(connections) {
                        client.ask(ROUTE, &bodies[number % bodies.len()])?;
                    }
                    Ok(())
                })
            })
            .collect();
        sending.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(failed("a client died")))
        })
    })?;
    Ok(began.elapsed().as_secs_f64())
}

/// The program as a server.
struct Served {
    server: Child,
    address: SocketAddr,
}

impl Served {
    fn start(run: &Run<'_>, size: u64) -> Result<Self, EvalError> {
        let store = run.user.copied(size, "served")?;
        let words = ["serve", "--listen", "127.0.0.1:0", "--json"];
        let mut command = run.user.command(&store, &words);
        let mut server = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let mut line = String::new();
        if let Some(stdout) = server.stdout.take() {
            BufReader::new(stdout)
                .read_line(&mut line)
                .map_err(failed)?;
        }
        let port = serde_json::from_str::<Value>(&line).ok();
        let port = port.and_then(|said| u16::try_from(said["port"].as_u64()?).ok());
        // Ended by its drop if it has no port.
        let served = Self {
            server,
            address: ([127, 0, 0, 1], port.unwrap_or_default()).into(),
        };
        match port {
            Some(_) => Ok(served),
            None => Err(failed("the server does not listen")),
        }
    }

    fn cpu(&self) -> Result<f64, EvalError> {
        Ok(Counts::of_process(self.server.id())?.cpu())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A handler that reads a body and answers the same bytes each time, on threads of its own.
struct Bare {
    runtime: Option<Runtime>,
    address: SocketAddr,
}

impl Bare {
    fn start(answer: Vec<u8>) -> Result<Self, EvalError> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .thread_name(BARE)
            .build()
            .map_err(failed)?;
        let answer = Bytes::from(answer);
        let handler = post(move |_body: String| {
            let answer = answer.clone();
            async move { ([(CONTENT_TYPE, "application/json")], answer) }
        });
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, Router::new().route(ROUTE, handler)).await
        });
        Ok(Self {
            runtime: Some(runtime),
            address,
        })
    }

    /// Seconds of CPU of its threads so far.
    fn cpu(&self) -> Result<f64, EvalError> {
        let mut sum = 0.0;
        for task in fs::read_dir("/proc/self/task").map_err(failed)? {
            let folder = task.map_err(failed)?.path();
            // Threads of others may end meanwhile.
            let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
            if name.trim() == BARE {
                sum += Counts::of(&folder.join("stat").to_string_lossy())?.cpu();
            }
        }
        Ok(sum)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // Waiting for its threads is not allowed on a thread of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
