//! Composition root.
fn main() {}
