//! The open connections: how many there may be, and which one gives way to a new one.
//!
//! A connection works on a request, or it waits for its client: for a head, for the rest of a body, or until an answer is
//! read. When all places are taken, the connection that has waited longest gives way, among those of the client that has the
//! most of them. So no client can keep the others out, and `/healthz` is answered however many connections are open. A
//! connection that works is never closed, so no change is cut off.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::open_files;

/// Connections at the same time, where the limit of open files admits them: each may hold a head of `HEAD_BYTES_MAX`.
const CONNECTIONS_MAX: usize = 2_048;
/// A body that has been on its way for less time does not give way to another.
const GRACE: Duration = Duration::from_secs(2);

/// The open connections of a server.
pub(super) struct Connections {
    max: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    all: HashMap<u64, Arc<Connection>>,
}

/// One connection, as its requests know it.
pub(super) struct Connection {
    /// The client's address; of an IPv6 address the network, since a client has a whole one.
    client: IpAddr,
    state: Mutex<State>,
    /// Notified once, when the connection is to close.
    leave: Notify,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Waits for its client since then.
    Waits(Instant),
    /// Waits for its client since then, and holds room for a body that is on its way.
    Holds(Instant),
    /// Works on a request.
    Works,
    /// Has to close.
    Leaves,
}

/// The place of a connection; given back when it is dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.connections.open).all.remove(&self.number);
    }
}

impl Connections {
    /// As many as the limit of open files admits, which is raised as far as it goes.
    pub(super) fn new() -> Arc<Self> {
        Self::with_room(CONNECTIONS_MAX.min(open_files::raised() / 4 * 3))
    }

    fn with_room(max: usize) -> Arc<Self> {
        Arc::new(Self {
            max: max.max(1),
            open: Mutex::default(),
        })
    }

    /// A place for a new connection; `None` if all others work.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let mut open = locked(&self.open);
        if open.all.len() >= self.max && !open.close_one(State::waits_since) {
            return None;
        }
        let connection = Arc::new(Connection {
            client: network(address),
            state: Mutex::new(State::Waits(Instant::now())),
            leave: Notify::new(),
        });
        let number = open.next;
        open.next += 1;
        open.all.insert(number, connection.clone());
        Some(Place {
            connections: self.clone(),
            number,
            connection,
        })
    }

    /// Closes the connection that has waited longest; false if all work.
    pub(super) fn close_one(&self) -> bool {
        locked(&self.open).close_one(State::waits_since)
    }

    /// Closes a connection whose body, of a request or an answer, is late, to make room for another; false if there is none.
    pub(super) fn close_one_holder(&self) -> bool {
        let late = |state: State| match state {
            State::Holds(since) if since.elapsed() >= GRACE => Some(since),
            _ => None,
        };
        locked(&self.open).close_one(late)
    }
}

impl Open {
    /// Closes one of the connections for which `since` knows a time: of the client that has the most, the oldest.
    fn close_one(&mut self, since: impl Fn(State) -> Option<Instant>) -> bool {
        let mut waiting: HashMap<IpAddr, (usize, Instant, u64)> = HashMap::new();
        for (number, connection) in &self.all {
            let Some(since) = since(*locked(&connection.state)) else {
                continue;
            };
            let (count, oldest, whose) = waiting
                .entry(connection.client)
                .or_insert((0, since, *number));
            *count += 1;
            if since < *oldest {
                (*oldest, *whose) = (since, *number);
            }
        }
        let first = waiting.into_values().max_by(|a, b| {
            let by_count = a.0.cmp(&b.0);
            by_count.then(b.1.cmp(&a.1))
        });
        let Some((_, _, number)) = first else {
            return false;
        };
        // A request may have begun since; it is finished.
        self.all.get(&number).is_some_and(|one| one.dismiss()) && self.all.remove(&number).is_some()
    }
}

impl State {
    fn waits_since(self) -> Option<Instant> {
        match self {
            Self::Waits(since) | Self::Holds(since) => Some(since),
            Self::Works | Self::Leaves => None,
        }
    }
}

impl Connection {
    /// Begins to work; false if the connection has to close, and then nothing may be begun.
    pub(super) fn begin_work(&self) -> bool {
        self.change(State::Works)
    }

    /// Waits for the rest of a body, and holds room for it.
    pub(super) fn begin_hold(&self) -> bool {
        self.change(State::Holds(Instant::now()))
    }

    /// Waits for the client to read the answer, and to send another request. Keeps that it holds room for the answer.
    pub(super) fn end_work(&self) {
        let mut state = locked(&self.state);
        if *state == State::Works {
            *state = State::Waits(Instant::now());
        }
    }

    /// Is done when the connection has to close.
    pub(super) async fn left(&self) {
        self.leave.notified().await;
    }

    /// The client's address, or its network.
    pub(super) fn client(&self) -> IpAddr {
        self.client
    }

    fn change(&self, next: State) -> bool {
        let mut state = locked(&self.state);
        if *state == State::Leaves {
            return false;
        }
        *state = next;
        true
    }

    fn dismiss(&self) -> bool {
        let mut state = locked(&self.state);
        if state.waits_since().is_none() {
            return false;
        }
        *state = State::Leaves;
        self.leave.notify_one();
        true
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(whole) => {
            let [a, b, c, d, ..] = whole.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    fn state(place: &Place) -> State {
        *locked(&place.connection.state)
    }

    #[test]
    fn the_oldest_waiting_connection_of_the_largest_client_gives_way() {
        let connections = Connections::with_room(4);
        let other = connections.admit(OTHER).unwrap();
        let mine: Vec<Place> = (0..3).map(|_| connections.admit(ONE).unwrap()).collect();
        assert!(mine[0].connection.begin_work());
        let _more = connections.admit(ONE).unwrap();
        // The first works, and the other client has fewer.
        assert_eq!(state(&mine[1]), State::Leaves);
        assert!(!mine[1].connection.begin_work(), "nothing begins any more");
        assert!(other.connection.begin_work());
        assert_eq!(state(&mine[0]), State::Works);
    }

    #[test]
    fn connections_that_work_stay_and_a_dropped_place_is_free() {
        let connections = Connections::with_room(2);
        let places: Vec<Place> = (0..2).map(|_| connections.admit(ONE).unwrap()).collect();
        assert!(places.iter().all(|place| place.connection.begin_work()));
        assert!(connections.admit(OTHER).is_none());
        assert!(!connections.close_one() && !connections.close_one_holder());
        drop(places);
        assert!(connections.admit(OTHER).is_some());
    }

    #[test]
    fn a_body_gives_way_once_it_is_late() {
        let connections = Connections::with_room(2);
        let place = connections.admit(ONE).unwrap();
        assert!(place.connection.begin_hold());
        assert!(!connections.close_one_holder(), "it has just begun");
        let long_ago = Instant::now().checked_sub(GRACE).unwrap();
        *locked(&place.connection.state) = State::Holds(long_ago);
        assert!(connections.close_one_holder());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_eq!(of("::ffff:10.0.0.1"), ONE);
    }
}
