//! Whose requests a store is working for, so that a backend can name them where an operator looks.
//!
//! A request has an id before it reaches the engine; several requests may become one transaction. The ids go along with the
//! future that does the work, not through every signature between.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Ids of requests.
pub type Requests = Arc<[Arc<str>]>;

thread_local! {
    /// Those of the future that is being polled on this thread.
    static CURRENT: RefCell<Option<Requests>> = const { RefCell::new(None) };
}

/// The requests that the present work is for; none if unknown.
pub fn current() -> Option<Requests> {
    CURRENT.with_borrow(Option::clone)
}

/// Does work for requests; without any it counts for the requests of the caller.
pub fn serving<F: Future>(requests: Option<Requests>, work: F) -> Serving<F> {
    Serving {
        requests,
        // Boxed, so that polling needs no unsafe code.
        work: Box::pin(work),
    }
}

/// Work for requests.
pub struct Serving<F> {
    requests: Option<Requests>,
    work: Pin<Box<F>>,
}

/// Restores the former value, also when the work panics.
struct Before(Option<Requests>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

impl<F: Future> Future for Serving<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let Some(requests) = self.requests.clone() else {
            return self.work.as_mut().poll(cx);
        };
        // Set for one poll only, because the thread polls other futures in between.
        let _before = Before(CURRENT.replace(Some(requests)));
        self.work.as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::{poll_fn, ready};
    use std::task::Waker;

    use super::*;

    fn requests(ids: &[&str]) -> Option<Requests> {
        Some(ids.iter().map(|id| Arc::from(*id)).collect())
    }

    fn polled<F: Future + Unpin>(mut work: F) -> Poll<F::Output> {
        Pin::new(&mut work).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn work_knows_its_requests_while_it_is_polled_and_nobody_else_does() {
        let inner = serving(requests(&["b"]), poll_fn(|_| Poll::Ready(current())));
        let outer = serving(requests(&["a"]), async move {
            let first = current();
            let second = inner.await;
            (first, second, current())
        });
        let told = (requests(&["a"]), requests(&["b"]), requests(&["a"]));
        assert_eq!(polled(outer), Poll::Ready(told));
        assert_eq!(current(), None);
        let same = serving(
            requests(&["a"]),
            serving(None, poll_fn(|_| Poll::Ready(current()))),
        );
        assert_eq!(polled(same), Poll::Ready(requests(&["a"])));
        assert_eq!(polled(serving(None, ready(7))), Poll::Ready(7));
    }
}
