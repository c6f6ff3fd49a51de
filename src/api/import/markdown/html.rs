//! The text of a block of HTML: rules are often kept between tags, which mean nothing to a reader.

/// HTML without comments and tags.
pub(super) fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let inner = &rest[at..];
        let is_tag = inner[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
        let end = if inner.starts_with("<!--") {
            Some("-->")
        } else {
            is_tag.then_some(">")
        };
        rest = match end.map(|end| inner.find(end).map(|at| at + end.len())) {
            Some(Some(behind)) => &inner[behind..],
            Some(None) if inner.starts_with("<!--") => "",
            _ => {
                text.push('<');
                &inner[1..]
            }
        };
    }
    text.push_str(rest);
    text
}
