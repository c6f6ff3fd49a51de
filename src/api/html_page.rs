//! The frame of the HTML pages: each holds all it needs, and no request leaves it.

use std::fmt::Write;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use hindlore_text::layout::invisible::replaced;

/// The style of all pages.
const STYLE: &str = include_str!("memory_page/page.css");

/// A page, complete from doctype to end. `policy` limits scripts and sources; `style` follows that of all pages.
pub(super) fn html_page(title: &str, policy: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    // A browser would follow a change of direction, and show nothing of a hidden order.
    let text = page.into_string();
    let marked = replaced(&text, |c, out| {
        // A text in memory takes every write.
        let _ = write!(out, "&lt;U+{:04X}&gt;", u32::from(c));
    });
    marked.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_shown_as_marks() {
        let body = html! { p title="a\u{202E}b" { "c\u{E0041}d 👩\u{200D}💻" } };
        let page = html_page("T", "default-src 'none'", "", &body);
        assert!(page.contains("a&lt;U+202E&gt;b"), "{page}");
        assert!(page.contains("c&lt;U+E0041&gt;d 👩\u{200D}💻"), "{page}");
    }
}
