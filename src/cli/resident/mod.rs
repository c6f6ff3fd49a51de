//! A resident process: it keeps large memories loaded between command lines, so that a cold call is as quick as a warm one.
//!
//! ```text
//! hindlore retrieve … -- Asked -- socket -- server -- the same command over a loaded engine -- its output and exit code
//! ```
//!
//! Loading a memory grows with it (measured: 0.1 s at 10,000 bullets, 1.1 s at 100,000), and an agent's hook is a
//! process for each event. Postings on disk would save only a part of that and must be proved equal; an engine that
//! stays is the same engine. So the first call over a large file works on its own and starts a process; it ends when no
//! call came for a while, when its file is gone, and by `hindlore resident --stop`. If anything goes wrong with it, the
//! call works on its own as before.

mod asked;
mod engine_cache;
mod place;
mod server;
mod wire;

pub(super) use asked::{Asked, Luggage};
pub(super) use engine_cache::Opened;
pub(crate) use engine_cache::Warm;
pub(crate) use place::{running, stop};
pub(crate) use server::{Ran, serve};
