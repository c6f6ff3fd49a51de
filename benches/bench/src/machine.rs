//! The machine that a report was made on, so that a reader can judge its absolute figures.

use std::fs;
use std::thread::available_parallelism;

use serde::Serialize;

/// The machine, as far as it is known.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Machine {
    /// Name of the operating system.
    pub os: &'static str,
    /// Instruction set.
    pub arch: &'static str,
    /// Threads that run at a time.
    pub cores: usize,
    /// The name that the processor reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Main memory in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Processes that waited to run during the last minute, as a mean, when the report was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Version of this program.
    pub version: &'static str,
    /// Whether the program was built with optimisation; figures of one that was not mean little.
    pub optimised: bool,
}

impl Machine {
    /// The machine that this runs on.
    pub fn present() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Self {
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            cores: available_parallelism().map_or(1, usize::from),
            processor: value(&read("/proc/cpuinfo"), "model name"),
            memory_bytes: value(&read("/proc/meminfo"), "MemTotal").and_then(|text| bytes(&text)),
            load: read("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|load| load.parse().ok()),
            version: env!("CARGO_PKG_VERSION"),
            optimised: !cfg!(debug_assertions),
        }
    }
}

/// The value of the first line `name : value`.
fn value(text: &str, name: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim().to_owned())
}

fn bytes(kilobytes: &str) -> Option<u64> {
    let number: u64 = kilobytes.split(' ').next()?.parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_their_name() {
        let text = "MemFree:  12 kB\nMemTotal:       24 kB\n";
        assert_eq!(value(text, "MemTotal").as_deref(), Some("24 kB"));
        assert_eq!(bytes("24 kB"), Some(24 * 1024));
        assert_eq!(value(text, "model name"), None);
    }
}
