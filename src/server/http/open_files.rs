//! The limit of open files of this process, which is the first bound on the connections of a server.

#[cfg(unix)]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit of open files to the most that this process may set; returns it.
#[cfg(unix)]
pub(super) fn raised() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = Rlimit {
        current: limit.maximum,
        ..limit
    };
    let is_raised = setrlimit(Resource::Nofile, wanted).is_ok();
    let files = if is_raised {
        limit.maximum
    } else {
        limit.current
    };
    files.map_or(usize::MAX, |files| {
        usize::try_from(files).unwrap_or(usize::MAX)
    })
}

#[cfg(not(unix))]
pub(super) fn raised() -> usize {
    usize::MAX
}
