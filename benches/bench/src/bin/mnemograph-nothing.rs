//! An empty program: what it takes to start a process at all, for `mnemograph-bench processes`.

fn main() {}
