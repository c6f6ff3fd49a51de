//! The pure floor: memories, lessons, corrections, trajectories, and every rule by which they change. No async, no I/O,
//! no clock, no randomness.
//!
//! Every rule is a function of its arguments, so that all backends and instances decide alike, and so that a
//! history can be replayed from its events.
//!
//! # Example
//!
//! ```
//! use hindlore_domain::memory::bullet::bullet_kind::MemoryType;
//! use hindlore_domain::memory::decay::{decayed, half_life_ticks};
//! use hindlore_domain::memory::policy::Policy;
//!
//! let rate = Policy::default().rates.rate(MemoryType::Semantic);
//! assert_eq!(half_life_ticks(rate).round(), 69.0);
//! assert!(decayed(1.0, rate, 69) < 0.501);
//! assert_eq!(decayed(1.0, rate, 0), 1.0);
//! ```

pub mod correction;
pub mod lesson;
pub mod memory;
pub mod playbook;
pub mod reflection;
pub mod sharing;
pub mod trajectory;
