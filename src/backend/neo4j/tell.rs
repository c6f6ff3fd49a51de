//! Telling somebody how far long work at the schema is.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Pause before the first message, and between two.
const PAUSE: Duration = Duration::from_secs(2);

/// What is called with each message.
type Listen = dyn Fn(&str) + Send + Sync;

/// Who is told how far long work is; nobody by default. All are equal, so that options can be compared.
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

/// Tells nothing of short work, and of long work something every two seconds.
#[derive(Debug)]
pub(super) struct Tell {
    listener: Listener,
    last: Mutex<Instant>,
}

impl Tell {
    /// For work that begins now.
    pub(super) fn new(listener: Listener) -> Self {
        Self {
            listener,
            last: Mutex::new(Instant::now()),
        }
    }

    /// Says what is being done, if it is time to say something.
    pub(super) fn say(&self, what: &str) {
        let Ok(mut last) = self.last.lock() else {
            return;
        };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            drop(last);
            self.announce(what);
        }
    }

    /// Says something at once: that long work begins or has ended.
    pub(super) fn announce(&self, what: &str) {
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
