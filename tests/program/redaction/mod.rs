//! Redaction from outside: what is found, what is left alone, how long it takes, and that no way into a store goes
//! round it.

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
