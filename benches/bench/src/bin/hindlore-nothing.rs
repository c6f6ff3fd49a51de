//! An empty program: what it takes to start a process at all, for `hindlore-bench processes`.

fn main() {}
