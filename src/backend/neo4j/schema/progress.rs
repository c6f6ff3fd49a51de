//! Reporting the progress of long work on the schema.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Pause before the first message, and between two.
const PAUSE: Duration = Duration::from_secs(2);

/// The function to call with each message.
type Listen = dyn Fn(&str) + Send + Sync;

/// Receives the progress of long work; ignores it by default. All are equal, so that options can be compared.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Listen>>);

impl Listener {
    /// Calls a function with each message, such as "the index `a` is 40 % made".
    pub fn new(listen: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listen)))
    }
}

impl PartialEq for Listener {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Listener {}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// Reports long work every two seconds, and short work not at all.
#[derive(Debug)]
pub(crate) struct Tell {
    listener: Listener,
    last: Mutex<Instant>,
}

impl Tell {
    /// For work that begins now.
    pub(crate) fn new(listener: Listener) -> Self {
        Self {
            listener,
            last: Mutex::new(Instant::now()),
        }
    }

    /// Reports the current work, if the pause is over.
    pub(super) fn say(&self, what: &str) {
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            // Released before the call, which may take as long as the listener likes.
            drop(last);
            self.announce(what);
        }
    }

    /// Reports at once that long work begins or has ended.
    pub(crate) fn announce(&self, what: &str) {
        tracing::info!("changing the schema: {what}");
        if let Some(listen) = &self.listener.0 {
            listen(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_work_is_told() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = heard.clone();
        let listener = Listener::new(move |what| to.lock().unwrap().push(what.to_owned()));
        let tell = Tell::new(listener);
        tell.say("at once");
        *tell.last.lock().unwrap() -= PAUSE;
        tell.say("after two seconds");
        tell.say("right after that");
        assert_eq!(*heard.lock().unwrap(), ["after two seconds"]);
    }
}
