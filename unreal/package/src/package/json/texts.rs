//! Names, objects and strings as text.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use crate::archive::{Context, JsonSaver, JsonTexts, Space};
use crate::primitive::{Name, PackageIndex, fstring_json};
use crate::version::{UnrealVersions, Versions, threshold};

/// The texts that stand for names and objects in JSON, both ways. A text that two rows share stands for
/// none of them: such rows are written as numbers.
#[derive(Debug, Default)]
pub(super) struct PackageTexts {
    names: BothWays,
    objects: BothWays,
    /// Whether names may have a number beside their row (spec: ue1-3/01 §1.4).
    has_numbers: bool,
    /// Names that a document uses and its table lacks; `None` where none may be added.
    added: Option<RefCell<AddedNames>>,
}

/// The context and the texts with which values of a package are written to a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenTexts<'a> {
    pub context: &'a Arc<Context>,
    pub texts: &'a PackageTexts,
}

impl<'a> WrittenTexts<'a> {
    /// An archive that writes a value that stands at `position`.
    pub fn saver(&self, versions: &Versions, position: u64) -> JsonSaver<'a> {
        JsonSaver::new(versions.clone(), self.context.clone(), self.texts, position)
    }
}

/// Names behind those of the table.
#[derive(Debug, Default)]
struct AddedNames {
    /// The row of the first.
    first: i32,
    texts: Vec<String>,
    rows: HashMap<String, i32>,
}

impl PackageTexts {
    /// From the texts of all name rows, and the indices and paths of all objects.
    pub fn new(
        names: impl IntoIterator<Item = String>,
        objects: impl IntoIterator<Item = (i32, String)>,
        versions: &Versions,
    ) -> Self {
        let has_numbers = versions.file() >= threshold::NAME_NUMBER_ADDED;
        let (names, objects) = (BothWays::new((0..).zip(names)), BothWays::new(objects));
        Self { names, objects, has_numbers, added: None }
    }

    /// The same for a document that may use further names; the table has `rows`.
    #[must_use]
    pub fn adding_names(self, rows: usize) -> Self {
        let first = i32::try_from(rows).unwrap_or(i32::MAX);
        Self { added: Some(RefCell::new(AddedNames { first, ..AddedNames::default() })), ..self }
    }

    /// Whether some of so many names, or of so many objects, have no text of their own: documents say these by
    /// their rows.
    pub fn lack(&self, names: usize, objects: usize) -> bool {
        self.names.texts.len() < names || self.objects.texts.len() < objects
    }

    /// Takes the names that were added, in the order of their rows.
    pub fn take_added(&self) -> Vec<String> {
        let Some(added) = &self.added else { return Vec::new() };
        std::mem::take(&mut added.borrow_mut().texts)
    }

    /// The row of a name that the table lacks, behind the others.
    fn add_name(&self, text: &str) -> Option<i32> {
        // A text that several rows have means none of them.
        let mut added = self.added.as_ref()?.borrow_mut();
        if self.names.shared.contains(text) || text.is_empty() {
            return None;
        }
        if let Some(row) = added.rows.get(text) {
            return Some(*row);
        }
        let row = added.first.checked_add(i32::try_from(added.rows.len()).ok()?)?;
        added.rows.insert(text.to_owned(), row);
        added.texts.push(text.to_owned());
        Some(row)
    }

    fn of(&self, space: &Space) -> Option<&BothWays> {
        match space {
            space if *space == Name::SPACE => Some(&self.names),
            space if *space == PackageIndex::SPACE => Some(&self.objects),
            _ => None,
        }
    }
}

impl JsonTexts for PackageTexts {
    fn text(&self, space: &Space, row: i32) -> Option<&str> {
        self.of(space)?.texts.get(&row).map(|text| &**text)
    }

    fn row(&self, space: &Space, text: &str) -> Option<i32> {
        let known = self.of(space)?.rows.get(text).copied();
        known.or_else(|| (*space == Name::SPACE).then(|| self.add_name(text)).flatten())
    }

    fn numbered_text(&self, space: &Space, row: i32, number: i32) -> Option<String> {
        let base = self.names.texts.get(&row).filter(|_| *space == Name::SPACE)?;
        let text = format!("{base}_{}", number.checked_sub(1)?);
        let means = Name::split(&text) == Some((&**base, number));
        (self.has_numbers && means).then_some(text)
    }

    fn is_parted(&self, space: &Space, text: &str) -> bool {
        self.has_numbers && *space == Name::SPACE && Name::split(text).is_some()
    }

    fn numbered_row(&self, space: &Space, text: &str) -> Option<(i32, i32)> {
        let is_name = *space == Name::SPACE;
        let known = &self.of(space)?.rows;
        // As the engines part texts, unless only the whole is a row.
        let is_parted = |base: &str| known.contains_key(base) || !known.contains_key(text);
        match Name::split(text) {
            Some((base, number)) if is_name && self.has_numbers && is_parted(base) => {
                self.row(space, base).map(|row| (row, number))
            }
            _ => self.row(space, text).map(|row| (row, 0)),
        }
    }

    /// A list of properties has its end, a map or set what it takes from the inherited ones.
    fn of_empty(&self, field: &str) -> Option<Value> {
        match field {
            super::properties::NAME => Some(Value::from(super::properties::NONE)),
            "count" | "removed_count" => Some(Value::from(0)),
            _ => None,
        }
    }

    /// A string, if its parts are what a new string of the same text has.
    fn joined(&self, fields: &[(&str, &Value)], versions: &Versions) -> Option<String> {
        fstring_json::joined(fields, versions)
    }

    fn apart(&self, text: &str, versions: &Versions) -> Vec<(&'static str, Value)> {
        fstring_json::apart(text, versions)
    }
}

/// Rows and texts.
#[derive(Debug, Default)]
struct BothWays {
    texts: HashMap<i32, Arc<str>>,
    rows: HashMap<Arc<str>, i32>,
    /// Texts of several rows.
    shared: HashSet<Arc<str>>,
}

impl BothWays {
    fn new(all: impl IntoIterator<Item = (i32, String)>) -> Self {
        let (mut texts, mut rows) = (HashMap::new(), HashMap::new());
        let mut shared = HashSet::new();
        for (row, text) in all {
            let text: Arc<str> = text.into();
            if rows.insert(text.clone(), row).is_some() {
                shared.insert(text);
            } else {
                texts.insert(row, text);
            }
        }
        shared.iter().for_each(|text| _ = rows.remove(text));
        texts.retain(|_, text| rows.contains_key(text));
        Self { texts, rows, shared }
    }
}
