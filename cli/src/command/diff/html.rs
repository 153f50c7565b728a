//! The difference of two packages as one page, which needs nothing beside it: no scripts, no network.

mod pictures;

use std::fmt::Write;
use std::path::Path;

use serde_json::json;
use unreal_packages::compare::{
    Difference, FieldOrigin, FoundDifference, ObjectDifference, WordPart, each_difference,
    line_hunks, word_parts,
};
use unreal_packages::package::Package;

use super::{Diff, shown};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::html::{HEAD, escape};
use crate::output::{Output, count};
use crate::target::Target;
use pictures::Pictures;

/// How the page looks: light or dark as the reader's system is.
const STYLE: &str = include_str!("html/style.css");
/// Lines of a hunk that stand open; longer ones are folded.
const OPEN_LINES: usize = 12;

/// What the page has of each kind.
#[derive(Default)]
struct Counts {
    header: u64,
    removed: u64,
    added: u64,
    renamed: u64,
    changed: u64,
}

impl Diff {
    /// Writes the page.
    pub(super) fn html(
        &self,
        old: &Package,
        new: &Package,
        path: &Path,
        out: &mut Output,
    ) -> CommandResult {
        let target = Target::new(path, self.overwrite, Form::Any, out)?;
        let mut page = HtmlPage {
            pictures: Pictures::new(old, new),
            limit: self.limit,
            text: String::new(),
            counts: Counts::default(),
            header: String::new(),
            derived: Vec::new(),
        };
        each_difference(old, new, |found| {
            page.add(&found);
            Ok::<_, Failure>(())
        })?;
        page.pictures.thumbnails(&mut page.text);
        let (pictures, counts) = (page.pictures.shown(), &page.counts);
        let sum = counts.header + counts.removed + counts.added + counts.renamed + counts.changed;
        let html = page.whole(&self.old, &self.new);
        target.write(html.as_bytes(), out)?;
        if out.is_json() {
            out.object(&json!({ "html": target.shown(), "bytes": html.len(), "same": sum == 0,
                                "differences": sum, "pictures": pictures }))?;
        } else if target.path().is_some() {
            let differences = count(sum, "difference", "differences");
            out.summary(format!("wrote {}: {differences}; open it in a browser", target.shown()))?;
        }
        Ok(Outcome::Fine)
    }
}

/// A page that is being written.
struct HtmlPage<'a> {
    pictures: Pictures<'a>,
    /// Differences of an object that are shown; 0 for all.
    limit: usize,
    text: String,
    counts: Counts,
    /// Rows of the header's fields.
    header: String,
    /// Fields of the header that a save makes anew.
    derived: Vec<String>,
}

impl HtmlPage<'_> {
    /// One difference.
    fn add(&mut self, found: &FoundDifference) {
        match found {
            FoundDifference::Header(field) => {
                self.counts.header += 1;
                if field.origin == FieldOrigin::Derived {
                    self.derived.push(field.field.clone());
                    return;
                }
                let text = values(&field.field, field.old.as_deref(), field.new.as_deref());
                self.header.push_str(&text);
            }
            FoundDifference::Removed(object) => {
                self.counts.removed += 1;
                self.title("removed", "-", &object.path, &object.class);
                self.pictures.of_rows(Some(object.row), None, &mut self.text);
                self.text.push_str("</section>\n");
            }
            FoundDifference::Added(object) => {
                self.counts.added += 1;
                self.title("added", "+", &object.path, &object.class);
                self.pictures.of_rows(None, Some(object.row), &mut self.text);
                self.text.push_str("</section>\n");
            }
            FoundDifference::Renamed(object) => {
                self.counts.renamed += 1;
                let path = format!("{} → {}", object.old, object.new);
                self.title("renamed", ">", &path, &object.class);
                self.text.push_str("</section>\n");
            }
            FoundDifference::Changed(object) => {
                self.counts.changed += 1;
                self.changed(object);
            }
        }
    }

    fn title(&mut self, class: &str, sign: &str, path: &str, of: &str) {
        let (path, of) = (escape(path), escape(of));
        let sign = escape(sign);
        // Writing to a text can't fail.
        let _ = write!(
            self.text,
            "<section class={class}><h2><i>{sign}</i> {path} <small>{of}</small></h2>"
        );
    }

    fn changed(&mut self, object: &ObjectDifference) {
        if shown::moved(object).is_some() {
            self.title("renamed", ">", &format!("{} (moved)", object.path), &object.class);
        } else {
            self.title("changed", "~", &object.path, &object.class);
        }
        let most = if self.limit == 0 { object.changes.len() } else { self.limit };
        let (mut rows, mut hunks, mut notes) = (String::new(), String::new(), String::new());
        for change in object.changes.iter().take(most) {
            match change {
                Difference::Code { line, old, new } => {
                    hunk(&format!("code from line {}", line + 1), old, new, &mut hunks);
                }
                Difference::Property { property: field, old, new }
                | Difference::Element { property: field, old, new } => {
                    row(field, old.as_deref(), new.as_deref(), &mut rows, &mut hunks);
                }
                Difference::Attribute(it) | Difference::Field(it) => {
                    row(&it.field, it.old.as_deref(), it.new.as_deref(), &mut rows, &mut hunks);
                }
                _ => {
                    let _ = write!(notes, "<p>{}</p>", escape(&change.to_string()));
                }
            }
        }
        if !rows.is_empty() {
            let _ = write!(self.text, "<table>{rows}</table>");
        }
        self.text.push_str(&hunks);
        self.text.push_str(&notes);
        let more = object.changes.len().saturating_sub(most);
        if more > 0 {
            let _ = write!(self.text, "<p>… {more} more; --limit 0 shows all</p>");
        }
        self.pictures.of_rows(Some(object.rows.0), Some(object.rows.1), &mut self.text);
        self.text.push_str("</section>\n");
    }

    /// The page around what was written.
    fn whole(&self, old: &Path, new: &Path) -> String {
        let [old, new] = [old, new].map(|path| escape(&path.display().to_string()));
        let Counts { header, removed, added, renamed, changed } = &self.counts;
        let derived = match self.derived.is_empty() {
            true => String::new(),
            false => format!(
                "<details><summary>{} of the header made anew by saving</summary><p>{}</p></details>\n",
                count(self.derived.len() as u64, "field", "fields"),
                escape(&self.derived.join(", "))
            ),
        };
        let fields = match self.header.is_empty() {
            true => String::new(),
            false => format!(
                "<section class=changed><h2><i>~</i> header</h2><table>{}</table></section>\n",
                self.header
            ),
        };
        let nothing = header + removed + added + renamed + changed == 0;
        let nothing = if nothing { "<p>Nothing differs.</p>\n" } else { "" };
        format!(
            "{HEAD}\
             <title>{old} – {new}</title>\n<style>\n{STYLE}</style></head><body>\n\
             <header><h1><del>{old}</del> <ins>{new}</ins></h1>\n\
             <p>{added} added, {removed} removed, {renamed} renamed, {changed} changed, {header} of the header</p>\
             </header>\n{nothing}{fields}{derived}{}</body></html>\n",
            self.text
        )
    }
}

/// A value as a row, or as hunks where it has several lines.
fn row(field: &str, old: Option<&str>, new: Option<&str>, rows: &mut String, hunks: &mut String) {
    match (old, new) {
        (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => {
            for found in line_hunks(old, new) {
                let title = format!("{field} from line {}", found.old_line + 1);
                hunk(&title, &found.old, &found.new, hunks);
            }
        }
        _ => rows.push_str(&values(field, old, new)),
    }
}

/// A row with the old and the new value, what differs in them marked.
fn values(field: &str, old: Option<&str>, new: Option<&str>) -> String {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => marked(old, new),
        (old, new) => {
            let whole = |tag: &str, text: Option<&str>| {
                let text = text.map(escape);
                text.map_or(String::new(), |text| format!("<{tag}>{text}</{tag}>"))
            };
            (whole("del", old), whole("ins", new))
        }
    };
    format!("<tr><th>{}</th><td>{old}</td><td>{new}</td></tr>", escape(field))
}

/// Both texts with what went and came in them.
fn marked(old: &str, new: &str) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    for part in word_parts(old, new) {
        match part {
            WordPart::Same(text) => {
                let text = escape(&text);
                before.push_str(&text);
                after.push_str(&text);
            }
            WordPart::Removed(text) => {
                let _ = write!(before, "<del>{}</del>", escape(&text));
            }
            WordPart::Added(text) => {
                let _ = write!(after, "<ins>{}</ins>", escape(&text));
            }
        }
    }
    (before, after)
}

/// Lines that went and came.
fn hunk(title: &str, old: &[String], new: &[String], text: &mut String) {
    let open = if old.len() + new.len() <= OPEN_LINES { " open" } else { "" };
    let title = escape(title);
    let (went, came) = (old.len(), new.len());
    let _ = write!(
        text,
        "<details{open}><summary>{title} <small>-{went} +{came}</small></summary><pre>"
    );
    let mut line = |class: &str, line: &str| {
        let _ = write!(text, "<span class={class}>{line}</span>");
    };
    if went == came {
        let pairs: Vec<_> = old.iter().zip(new).map(|(old, new)| marked(old, new)).collect();
        pairs.iter().for_each(|(old, _)| line("went", old));
        pairs.iter().for_each(|(_, new)| line("came", new));
    } else {
        old.iter().for_each(|old| line("went", &escape(old)));
        new.iter().for_each(|new| line("came", &escape(new)));
    }
    text.push_str("</pre></details>");
}
