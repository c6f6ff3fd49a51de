//! hindlore keeps what AI agents learn, so that they do not fail the same way twice.
//!
//! # Bird's-eye view
//!
//! A *memory* belongs to one (tenant, learner, scope) and holds *bullets*: strategies, facts and experiences whose
//! strength fades with each event of the memory and comes back with use. *Deltas* change a memory; a *retrieval* ranks
//! and explains the bullets for a query. Every event is numbered, recorded, and can be decided again from the record.
//!
//! # Example
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use hindlore::prelude::*;
//!
//! let store = EmbeddedStore::open("memory.db", EmbeddedOptions::default())?;
//! let engine = Engine::new(Arc::new(store), Arc::new(SystemClock), EngineOptions::default());
//! let key = MemoryKey::new("default", "agent-7", "default")?;
//! let request = RetrieveRequest::new(Query::new("how do I retry a 429?"));
//! for found in engine.retrieve(&key, request).await?.bullets {
//!     println!("{:.2}  {}", found.hit.score, found.bullet.content);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `docs/examples` has six programs, from the first bullet to a server in process.
//!
//! # Features
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `http` | yes | the server of `hindlore serve` |
//! | `mcp` | yes | the tools for agents |
//! | `models` | yes | language models over HTTP |
//! | `neo4j` | yes | the Neo4j backend |
//! | `oidc` | yes | tokens of an OpenID provider |
//! | `otel` | no | spans for an OpenTelemetry collector |
//! | `testkit` | no | temporary stores and clocks for tests |
//! | `testkit-containers` | no | a Neo4j in a container for tests |
//!
//! # Floors
//!
//! Imports run downward only; neighbours on a floor do not import each other.
//!
//! ```text
//! 9  main       composition root
//! 8  cli        parse, call, answer      http  the API (feature)   testkit  what tests need (feature)
//! 7  mcp        the tools for agents (feature), on stdio by `cli`, at a route by `http`
//! 6  api        wire types, input formats, prompts: the waist that all surfaces share
//! 5  agent      a turn as nodes over a state: router, planner, solver, critic, referee, learning
//! 4  roles      Generator, Reflector, Curator, by rules and with a model      prelude  the names that most programs need
//! 3  engine     one verb, one file: gather, decide, apply       backend  embedded (SQLite), neo4j
//! 3  provider   language models over HTTP (feature)
//! 2  model      the language model as a trait, budgets, JSON out of texts
//! 2  store      the contract: traits and types, no default bodies      trace    files of agents and tools as steps
//! 1  domain     every rule, pure: no async, no I/O, no clock, no chance      config
//! 0  topk       exact top-k search and near duplicates over terms
//! ```
//!
//! `api::catalog` lists all verbs; a surface makes its commands from it, and `hindlore call NAME JSON` reaches each.
//!
//! `topk`, `domain`, `trace`, `store` and the two backends are crates of their own below `src`; all but `topk` are
//! shown here under these names.
//! The benchmarks (`benches/bench`) and the laboratory (`benches/lab`) are separate programs; `tests/contract` is a
//! crate, so that a store from elsewhere is tested by the same clauses.
//!
//! # Doors
//!
//! Each outside crate has one: SQLite in `backend::embedded`, the Bolt driver in `backend::neo4j`,
//! clap and the terminal in `cli`, axum in `http`, rmcp in `mcp`, reqwest in `provider`, TOML in `config`, chance and the wall clock in `engine::clock`.
//! `tests/tidy` reads the imports and fails on an upward import, a crate outside its door, or a file that has grown too
//! large.
//!
//! # Invariants
//!
//! - Stores move data, the domain decides: no backend knows a score, a threshold or a policy.
//! - An event is written with its receipt in one transaction; its tick and revision leave no gap.
//! - Nothing is destroyed by learning; only `Engine::erase` destroys.
//! - Equal events in equal order give equal digests on every machine and backend.

pub mod agent;
pub mod api;
pub mod backend;
pub mod cli;
pub mod config;
pub mod engine;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod model;
pub mod prelude;
#[cfg(feature = "models")]
pub mod provider;
pub mod roles;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use hindlore_domain as domain;
pub use hindlore_store as store;
pub use hindlore_trace as trace;

/// The server of this build, which `main` hands to the command line.
pub const SERVE: Option<api::server::Serve> = {
    #[cfg(feature = "http")]
    {
        Some(crate::http::serve)
    }
    #[cfg(not(feature = "http"))]
    {
        None
    }
};

/// The examples of the README, compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
