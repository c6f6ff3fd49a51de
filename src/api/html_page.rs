//! The frame of the HTML pages: each holds all it needs, and no request leaves it.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
const STYLE: &str = include_str!("memory_page/page.css");

/// A page, complete from doctype to end. `policy` says what may run and load; `style` comes behind that of all pages.
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
    page.into_string()
}
