//! Judges the answers of a Neo4j server: a pure function of its report, with a remedy for each finding.

use std::collections::BTreeMap;

use hindlore_api::responses::doctor::Looked;
use hindlore_neo4j::{Neo4jOptions, SchemaItem, ServerReport, Standing};

/// Oldest supported release, which the tests also run on.
const OLDEST: (u32, u32) = (5, 23);
const TESTED: (u32, u32) = (5, 26);
/// Passwords found in instructions, including this project's.
const KNOWN_PASSWORDS: &[&str] = &[
    "hindlore",
    "neo4j",
    "password",
    "changeme",
    "secret",
    "letmein",
    "test",
    "12345678",
    "neo4jneo4j",
    "password1",
    "admin",
];
const PASSWORD_CHARS_MIN: usize = 8;
/// Clock difference in milliseconds from which timestamps confuse people.
const CLOCK_NOTE_MS: i64 = 2_000;
/// Round trip in milliseconds from which every write is noticeably slow.
const ROUND_TRIP_NOTE_MS: f64 = 20.0;
/// Share of heap in use that leaves little for a large import.
const HEAP_NOTE: f64 = 0.9;
const MIB: u64 = 1 << 20;
/// Smallest heap known to work with the memory limit in the compose file.
const HEAP_LEAST: u64 = 480 * MIB;

/// Judges a server by its report and the way it was reached.
pub(super) fn judge(report: &ServerReport, options: &Neo4jOptions) -> Vec<Looked> {
    let mut looked = vec![version(report), database(report), encryption(options)];
    looked.extend(migrations(report));
    looked.push(items(report));
    looked.extend(collisions(report));
    match &report.settings {
        Ok(settings) => {
            looked.push(password(settings, options));
            looked.extend(timeouts(settings));
            looked.push(memory(settings, report));
        }
        Err(reason) => looked.push(Looked::note("server settings", unasked(reason))),
    }
    looked.push(clock(report));
    looked.push(round_trip(report));
    looked
}

/// True if the store can be opened without a change of schema.
pub(super) fn is_ready(report: &ServerReport) -> bool {
    report.refusal.is_none() && report.schema.pending.is_empty() && report.status == "online"
}

fn unasked(reason: &str) -> String {
    format!("the server did not answer this ({reason}); ask as an administrator")
}

fn version(report: &ServerReport) -> Looked {
    let (version, edition) = (&report.version, &report.edition);
    let said = format!("Neo4j {version} {edition} at {}", report.server);
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
    let (Some(Some(major)), Some(Some(minor))) = (numbers.next(), numbers.next()) else {
        return Looked::note("server", format!("{said}; this version cannot be compared"));
    };
    match (major, minor) {
        number if number < OLDEST => Looked::error(
            "server",
            format!(
                "{said}; its statements need {}.{} or newer, upgrade it",
                OLDEST.0, OLDEST.1
            ),
        ),
        number if number < TESTED => Looked::note(
            "server",
            format!(
                "{said}; tested is {}.{}, upgrade it when you can",
                TESTED.0, TESTED.1
            ),
        ),
        _ => Looked::ok("server", said),
    }
}

fn database(report: &ServerReport) -> Looked {
    let name = format!("`{}` is {}", report.database, report.status);
    if report.status != "online" {
        let said = format!("{name}; start it with START DATABASE, or name another one");
        return Looked::error("database", said);
    }
    if report.is_read_only {
        Looked::note(
            "database",
            format!("{name} and may only be read: nothing can be learned; allow writes"),
        )
    } else {
        Looked::ok("database", format!("{name} and may be written to"))
    }
}

fn encryption(options: &Neo4jOptions) -> Looked {
    let (scheme, rest) = options.uri.split_once("://").unwrap_or_default();
    let is_here = rest.split(',').all(|one| {
        let one = one.trim().rsplit(['@', '/']).next().unwrap_or(one);
        let mut own = ["localhost", "127.", "[::1]"].iter();
        own.any(|host| one.starts_with(host))
    });
    match scheme.to_ascii_lowercase().split('+').nth(1) {
        Some("s") => Looked::ok("encryption", "encrypted, and the server proved its name"),
        Some(_) => Looked::note(
            "encryption",
            "encrypted, but to whoever answers; use +s, with the authority's certificate in \
             neo4j.ca_file",
        ),
        None if is_here => Looked::ok("encryption", "none, on this machine only"),
        None => Looked::note(
            "encryption",
            "none: the password and all memories cross the network in the clear; use bolt+s:// or \
             neo4j+s://",
        ),
    }
}

fn migrations(report: &ServerReport) -> Option<Looked> {
    let schema = &report.schema;
    if let Some(refusal) = &report.refusal {
        return Some(Looked::error("schema", refusal.clone()));
    }
    if report.is_migrating {
        let said = "another instance is applying migrations; look again in a minute";
        return Some(Looked::note("schema", said));
    }
    if schema.pending.is_empty() {
        return None;
    }
    let pending = schema.pending.join(", ");
    // An item under another name that does the work existed before the migration.
    let is_made = |item: &SchemaItem| matches!(&item.standing, Standing::There { name, .. } if name == item.name);
    let is_begun = |name: &&String| {
        let mut items = report.items.iter().flatten();
        items.any(|item| item.migration == *name && is_made(item))
    };
    Some(match schema.pending.iter().find(is_begun) {
        Some(begun) => Looked::error(
            "schema",
            format!(
                "migration {begun} was begun and not finished; `migrate apply` finishes it ({pending} \
                 pending)"
            ),
        ),
        None => Looked::note(
            "schema",
            format!(
                "version {} of {}; to be applied by `migrate apply`: {pending}; memories can be looked \
                 at after that",
                schema.stored, schema.engine
            ),
        ),
    })
}

/// Constraints and indexes of the applied migrations. Also reports obstacles to a pending migration.
fn items(report: &ServerReport) -> Looked {
    const SUBJECT: &str = "constraints and indexes";
    let items = match &report.items {
        Ok(items) => items,
        Err(reason) => return Looked::note(SUBJECT, unasked(reason)),
    };
    let barred = items.iter().filter_map(|item| match &item.standing {
        Standing::Barred { by, remedy } => Some(format!(
            "{by} stands in the way of `{}`; if nothing else needs it, `{remedy}` takes it away",
            item.name
        )),
        _ => None,
    });
    let barred: Vec<String> = barred.collect();
    if !barred.is_empty() {
        let said = barred.join("; ");
        return Looked::error(
            SUBJECT,
            format!("{said}; then `hindlore migrate apply` makes what is missing"),
        );
    }
    let due = |migration: &str| !report.schema.pending.iter().any(|name| name == migration);
    let due: Vec<_> = items.iter().filter(|item| due(item.migration)).collect();
    let missing = due.iter().filter(|item| !item.is_there());
    let missing: Vec<&str> = missing.map(|item| item.name).collect();
    if !missing.is_empty() {
        return Looked::error(
            SUBJECT,
            format!(
                "missing: {}; memories may be written twice or read slowly, stop writing and make them again \
                 with `hindlore migrate apply`",
                missing.join(", ")
            ),
        );
    }
    let in_state = |wanted: &dyn Fn(&str) -> bool| {
        let found = due.iter().filter_map(|item| match &item.standing {
            Standing::There { name, state } if wanted(state) => Some(name.as_str()),
            _ => None,
        });
        found.collect::<Vec<_>>().join(", ")
    };
    let broken = in_state(&|state| !matches!(state, "ONLINE" | "POPULATING"));
    if !broken.is_empty() {
        let said = format!(
            "not usable: {broken}; drop them, then `hindlore migrate apply` makes them again"
        );
        return Looked::error(SUBJECT, said);
    }
    let populating = in_state(&|state| state == "POPULATING");
    if !populating.is_empty() {
        let said = format!("still being filled: {populating}; wait for them");
        return Looked::note(SUBJECT, said);
    }
    Looked::ok(SUBJECT, format!("all {} are there and online", due.len()))
}

/// Constraints of other programs on labels of ours.
fn collisions(report: &ServerReport) -> Option<Looked> {
    const SUBJECT: &str = "other programs";
    let found = match &report.collisions {
        Ok(found) if found.is_empty() => return None,
        Ok(found) => found,
        Err(reason) => return Some(Looked::note(SUBJECT, unasked(reason))),
    };
    let each = found.iter().map(|(by, remedy)| {
        format!("{by} may refuse what we write under that label; `{remedy}` takes it away, or use a database of its own")
    });
    Some(Looked::error(SUBJECT, each.collect::<Vec<_>>().join("; ")))
}

fn password(settings: &BTreeMap<String, String>, options: &Neo4jOptions) -> Looked {
    let is_off = settings
        .get("dbms.security.auth_enabled")
        .is_some_and(|value| value == "false");
    if is_off {
        let said = "not asked for: whoever reaches the port may read and erase everything; set \
                    dbms.security.auth_enabled=true";
        return Looked::note("password", said);
    }
    let password = options.password.as_str();
    let is_known = KNOWN_PASSWORDS.contains(&password.to_lowercase().as_str())
        || password.eq_ignore_ascii_case(&options.user);
    let how = "change it: ALTER CURRENT USER SET PASSWORD FROM '…' TO '…'";
    if is_known {
        return Looked::note("password", format!("one that everybody knows; {how}"));
    }
    if password.chars().count() < PASSWORD_CHARS_MIN {
        Looked::note(
            "password",
            format!("shorter than {PASSWORD_CHARS_MIN} characters; {how}"),
        )
    } else {
        Looked::ok("password", "none of the well-known ones")
    }
}

/// A writer that is cut off keeps its locks until its transaction times out.
fn timeouts(settings: &BTreeMap<String, String>) -> [Looked; 2] {
    let limit = |subject: &str, name: &str, advice: &str| {
        let value = settings.get(name).map_or("0s", String::as_str);
        if value.chars().any(|digit| ('1'..='9').contains(&digit)) {
            Looked::ok(subject, format!("{name} is {value}"))
        } else {
            Looked::note(subject, format!("{name} is not set; {advice}"))
        }
    };
    [
        limit(
            "transaction timeout",
            "db.transaction.timeout",
            "a writer that was cut off may keep its memory locked, set it to 60s",
        ),
        limit(
            "lock timeout",
            "db.lock.acquisition.timeout",
            "a writer may wait for a lock for ever, set it to 10s",
        ),
    ]
}

#[allow(clippy::cast_precision_loss, reason = "a share of a heap")]
fn memory(settings: &BTreeMap<String, String>, report: &ServerReport) -> Looked {
    const SUBJECT: &str = "memory of the server";
    let cache = settings.get("server.memory.pagecache.size");
    let cache = cache.map_or("of no fixed size", String::as_str);
    let (used, most) = match &report.heap {
        Ok((used, most)) => (*used, (*most).max(1)),
        Err(reason) => return Looked::note(SUBJECT, unasked(reason)),
    };
    let said = format!(
        "heap {} of {} MiB used, page cache {cache}",
        used / MIB,
        most / MIB
    );
    let raise = "raise server.memory.heap.max_size";
    if used as f64 / most as f64 > HEAP_NOTE {
        return Looked::note(
            SUBJECT,
            format!("{said}; {raise}, or look again after a while"),
        );
    }
    if most < HEAP_LEAST {
        Looked::note(
            SUBJECT,
            format!("{said}; large imports may not fit, {raise}"),
        )
    } else {
        Looked::ok(SUBJECT, said)
    }
}

fn clock(report: &ServerReport) -> Looked {
    let ahead = report.clock_ahead_ms;
    let side = if ahead < 0 { "behind" } else { "ahead of" };
    let said = format!("the server's is {} ms {side} ours", ahead.abs());
    if ahead.abs() > CLOCK_NOTE_MS {
        Looked::note(
            "clock",
            format!("{said}; order and decay do not depend on it, timestamps do; set both by NTP"),
        )
    } else {
        Looked::ok("clock", said)
    }
}

fn round_trip(report: &ServerReport) -> Looked {
    let took = report.round_trip.as_secs_f64() * 1e3;
    let said = format!("{took:.2} ms to the server and back");
    if took > ROUND_TRIP_NOTE_MS {
        Looked::note(
            "round trip",
            format!("{said}; a write takes several, so move the two closer together"),
        )
    } else {
        Looked::ok("round trip", said)
    }
}

#[cfg(test)]
mod tests;
