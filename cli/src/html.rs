//! What pages that are one file have in common.

use crate::output::escaped;

/// The beginning of a page, which nothing but its own text and pictures gets into.
pub const HEAD: &str = "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n\
     <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
     <meta name=viewport content=\"width=device-width\">\n";

/// Text of a package for a page: a package may hold any, and a browser obeys some of it. What a terminal would obey
/// is not shown either: marks that turn the direction make one name look like another.
pub fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in escaped(text, true).chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}
