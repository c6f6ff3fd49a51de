//! Prefixes that build services put before each line: times, names of jobs, numbers of steps.

/// The line as the tool printed it.
pub(crate) fn bare(line: &str) -> &str {
    let line = without_time(without_job(line));
    let line = line.strip_prefix("##[error]").unwrap_or(line);
    without_step(line)
}

/// Logs of a whole workflow have job and step before the time, parted by tabs.
fn without_job(line: &str) -> &str {
    let mut parts = line.splitn(3, '\t');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(_), Some(rest)) if without_time(rest).len() < rest.len() => rest,
        _ => line,
    }
}

/// `2026-01-31T12:00:00.0000000Z `, as it is written before each line.
fn without_time(line: &str) -> &str {
    let line_start = line.trim_start_matches('\u{feff}');
    let Some((time, rest)) = line_start.split_once(' ') else {
        return line;
    };
    let bytes = time.as_bytes();
    let is_time = time.len() >= 20
        && time.ends_with('Z')
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[10] == b'T';
    if is_time { rest } else { line }
}

/// `#12 3.456 `, the step and the seconds of a build of an image.
fn without_step(line: &str) -> &str {
    let Some(rest) = line.strip_prefix('#') else {
        return line;
    };
    let mut words = rest.splitn(3, ' ');
    let is_number = |word: Option<&str>| word.is_some_and(|word| word.parse::<f64>().is_ok());
    if is_number(words.next()) && is_number(words.next()) {
        words.next().unwrap_or_default()
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_services_go() {
        for (line, shown) in [
            ("2026-01-31T12:00:00.1234567Z error: x", "error: x"),
            (
                "build\tRun make\t2026-01-31T12:00:00.1Z make: ***",
                "make: ***",
            ),
            ("2026-01-31T12:00:00.1234567Z ##[error]boom", "boom"),
            ("#12 3.456 npm ERR! code E404", "npm ERR! code E404"),
            ("# pkg/a", "# pkg/a"),
            ("a\tb\tc", "a\tb\tc"),
            ("2026-01-31 12:00 error", "2026-01-31 12:00 error"),
            ("", ""),
        ] {
            assert_eq!(bare(line), shown);
        }
    }
}
