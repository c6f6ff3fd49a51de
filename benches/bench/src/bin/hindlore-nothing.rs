//! An empty program: the cost of starting a process at all, for `hindlore-bench processes`.

fn main() {}
