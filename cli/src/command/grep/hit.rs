//! One hit: where it stands and what it says.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};
use unreal_packages::inspect::{FoundText, TextKind};
use unreal_packages::package::Package;

/// Characters before and behind a hit that a line shows: values and texts may have any length.
const AROUND: usize = 160;

/// The objects of a package as commands take them.
pub struct Titles<'a> {
    package: &'a Package,
    last: Option<(usize, String)>,
}

impl<'a> Titles<'a> {
    /// Those of a package.
    pub fn new(package: &'a Package) -> Self {
        Self { package, last: None }
    }

    /// The path of an export, or its row where others have that path too.
    fn of(&mut self, row: usize) -> String {
        if let Some((known, title)) = &self.last
            && *known == row
        {
            return title.clone();
        }
        let path = self.package.exports().path(row);
        let is_exact = self.package.find_export(&path).is_ok_and(|found| found == row);
        let title = if is_exact { path } else { format!("#{row}") };
        self.last = Some((row, title.clone()));
        title
    }
}

/// A text that fits, with its place.
pub struct Hit {
    kind: TextKind,
    row: Option<usize>,
    /// The object that holds it, as commands take it.
    object: Option<String>,
    is_property: bool,
    /// The path within the object or the tables.
    path: String,
    line: Option<usize>,
    text: String,
    /// Where the pattern is met first, bytes.
    met: Range<usize>,
}

impl Hit {
    /// The hit at this place of a text.
    pub fn of(titles: &mut Titles<'_>, found: &FoundText<'_>, met: Range<usize>) -> Self {
        let is_held = matches!(found.kind, TextKind::Value | TextKind::Text | TextKind::Code);
        Self {
            kind: found.kind,
            row: found.row,
            object: found.row.filter(|_| is_held).map(|row| titles.of(row)),
            is_property: found.is_property,
            path: found.path.to_string(),
            line: found.line,
            text: found.text.to_owned(),
            met,
        }
    }

    /// The path of a property with its object, as `upk get` and `upk set` take it.
    fn property(&self) -> Option<String> {
        let object = self.object.as_ref().filter(|_| self.is_property)?;
        // Rows of tables stand in brackets.
        let dot = if self.path.starts_with('[') { "" } else { "." };
        Some(format!("{object}{dot}{}", self.path))
    }

    /// The hit for scripts: the whole text.
    pub fn json(&self, package: &Path) -> Value {
        let mut hit = json!({ "package": package.display().to_string(), "kind": self.kind });
        let mut put = |key: &str, value: Value| {
            if let Some(hit) = hit.as_object_mut().filter(|_| !value.is_null()) {
                hit.insert(key.to_owned(), value);
            }
        };
        put("row", json!(self.row));
        put("object", json!(self.object));
        put("property", json!(self.property()));
        let is_place = !self.path.is_empty() && !self.is_property;
        put("path", json!(is_place.then_some(&self.path)));
        put("line", json!(self.line));
        put("text", json!(self.text));
        hit
    }

    /// The text around the hit.
    fn shown(&self) -> String {
        let text = self.text.trim_end();
        let edge = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let from = edge(self.met.start.saturating_sub(AROUND));
        let to = edge(self.met.start.saturating_add(2 * AROUND)).max(from);
        let before = if from > 0 { "…" } else { "" };
        let behind = if to < text.len() { "…" } else { "" };
        format!("{before}{}{behind}", text.get(from..to).unwrap_or_default())
    }
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.shown();
        if let Some(property) = self.property() {
            return write!(f, "{property}={text}");
        }
        let row = self.row.unwrap_or_default();
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        match (self.kind, &self.object) {
            (TextKind::Name, _) => write!(f, "name #{row}: {text}"),
            (TextKind::Import, _) => write!(f, "import #{row}: {text}"),
            (TextKind::Export, _) => write!(f, "export #{row}: {text}"),
            (TextKind::Code, Some(object)) => write!(f, "code {object}{line}: {text}"),
            (_, Some(object)) => write!(f, "{object} {}{line}: {text}", self.path),
            (_, None) => write!(f, "{}{line}: {text}", self.path),
        }
    }
}
