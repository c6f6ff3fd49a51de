//! Redaction from outside: found secrets, untouched texts, the time it takes, and that every way into a store passes
//! it.

mod chance;
mod fields;
mod figures;
mod fresh;
mod friends;
mod growth;
mod modes;
mod places;
mod requests;
mod secrets;
mod speed;
mod trajectories;
mod world;
mod writes;
