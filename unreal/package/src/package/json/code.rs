//! Code in the words of a document: the assembler's lines, one statement each, where the archive has tokens.
//!
//! Places in code that other objects hold stand there as a number, and where the code has a label of that place:
//! `L0019` for 0x19. When lines change, the number becomes the place where that label stands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::texts::PackageTexts;
use crate::archive::{Archive, Archived, Context, JsonSaver, JsonTexts};
use crate::error::{Error, ErrorKind, Noun, Result, noun};
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::property::class_and_path;
use crate::script::Script;
use crate::script::assembly::{
    Assembled, AssemblyNames, AssemblyRow, AssemblyRows, assemble, assembly,
};
use crate::version::Versions;

const SCRIPT: &str = "script";
/// The key of the first part of a class, state or function.
const BASE: &str = "base";
/// Structs, states and classes, each the base of the next.
const DEEPEST: usize = 8;

/// The words for names and objects in the code of a document.
pub(super) struct CodeWords<'a> {
    pub package: &'a Package,
    pub versions: &'a Versions,
    pub context: &'a Arc<Context>,
    pub texts: &'a PackageTexts,
}

impl CodeWords<'_> {
    /// Puts the code of an object into words, where they say all of it; labels stand at `entries`, too.
    pub fn put(&mut self, script: &Script, entries: &BTreeSet<u64>, value: &mut Value) {
        let Some(stored) = place_of(value) else { return };
        let source = self.package.source();
        let Ok(text) = assembly(&script.items, self.versions, source, self, entries) else {
            return;
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        if self.stored(&lines).is_ok_and(|again| again.0 == *stored) {
            *stored = json!(lines);
        }
    }

    /// Takes the words of an object's code apart, where there are any, and says where what its labels are called by
    /// lies now, if that is not where it was.
    ///
    /// # Errors
    /// `Invalid` with the line, counted from 1, that can't be assembled.
    pub fn apart(&mut self, value: &mut Value) -> Result<Option<LabelledPlaces>> {
        let Some(script) = place_of(value) else { return Ok(None) };
        let Value::Array(lines) = script else { return Ok(None) };
        let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
        let Some(lines) = lines else {
            return Err(Error::invalid("'script' is a list of lines, each a text"));
        };
        let (stored, labels) = self.stored(&lines).map_err(|error| error.in_field(SCRIPT))?;
        *script = stored;
        let called = labels.into_iter().filter_map(|(label, place)| Some((named(&label)?, place)));
        let places: LabelledPlaces = called.collect();
        Ok(Some(places).filter(|places| places.iter().any(|(old, new)| old != new)))
    }

    /// The archive's value of these lines, and the places of the labels in them.
    fn stored(&mut self, lines: &[&str]) -> Result<(Value, Vec<(String, u64)>)> {
        let (versions, context, texts) = (self.versions, self.context, self.texts);
        let Assembled { items, labels } = assemble(&lines.join("\n"), 1, versions, self)?;
        let mut saver = JsonSaver::new(versions.clone(), context.clone(), texts, 0);
        Script { items }.serialize(&mut saver as &mut dyn Archive)?;
        Ok((saver.into_value(), labels))
    }
}

/// Where lies now what lay at the places that labels are called by.
pub(super) type LabelledPlaces = BTreeMap<u64, u64>;

/// The place that a label is called by.
fn named(label: &str) -> Option<u64> {
    let digits = label.strip_prefix('L').filter(|digits| digits.len() >= 4)?;
    u64::from_str_radix(digits, 16).ok()
}

/// Where the code of an object stands.
fn place_of(value: &mut Value) -> Option<&mut Value> {
    let mut at = value;
    for _ in 0..DEEPEST {
        let map = at.as_object_mut()?;
        match map.contains_key(SCRIPT) {
            true => return map.get_mut(SCRIPT),
            false => at = map.get_mut(BASE)?,
        }
    }
    None
}

impl AssemblyNames for CodeWords<'_> {
    fn name(&self, name: &Name) -> (String, bool) {
        let text = self.package.name_text(*name);
        let found = self.texts.numbered_row(&Name::SPACE, &text);
        let is_exact =
            name.index.is_canonical() && found == Some((name.index.value(), name.number));
        (text, is_exact)
    }

    fn object(&self, index: PackageIndex) -> (String, bool) {
        let path = self.texts.text(&PackageIndex::SPACE, index.value());
        match path.filter(|path| !path.contains('\'')) {
            Some(path) => (path.to_owned(), true),
            None => (self.package.path(index), false),
        }
    }
}

impl AssemblyRows for CodeWords<'_> {
    fn name(&mut self, text: &str) -> Result<Name> {
        let found = self.texts.numbered_row(&Name::SPACE, text);
        let found = found.map(|(row, number)| Name { number, ..Name::new(row) });
        found.ok_or_else(|| missing(noun::NAME, text))
    }

    fn object(&mut self, text: &str) -> Result<PackageIndex> {
        // The class of an object may stand before its path.
        let (_, path) = class_and_path(text);
        let found = self.texts.row(&PackageIndex::SPACE, path);
        found.map(PackageIndex::new).ok_or_else(|| missing(noun::OBJECT, path))
    }

    fn has(&self, row: AssemblyRow) -> bool {
        let is_row = |row: i32, rows: usize| usize::try_from(row).is_ok_and(|row| row < rows);
        match row {
            AssemblyRow::Name(row) => is_row(row, self.package.names().len()),
            AssemblyRow::Object(index) => match index.target() {
                ObjectRef::Null => true,
                ObjectRef::Import(row) => row < self.package.imports().len(),
                ObjectRef::Export(row) => row < self.package.exports().len(),
            },
        }
    }

    fn is_none(&self, name: &Name) -> bool {
        self.package.name_text(*name).eq_ignore_ascii_case("None")
    }
}

fn missing(what: Noun, name: &str) -> Error {
    let hint = format!("; the document has no such {what}: add it first");
    ErrorKind::NotFound { what, name: name.to_owned(), hint }.into()
}
