//! Code that is put back from text.

use crate::decompile::{DeclaredScripts, Decompiler};
use crate::edit::Edit;
use crate::edit::naming::AsNeeded;
use crate::error::{Error, Result};
use crate::inspect::PackageValues;
use crate::inspect::access::{Access, Additions};
use crate::inspect::assembly::{NameTexts, object_called};
use crate::object::Native;
use crate::package::code_places::narrow;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::property::Naming;
use crate::script::assembly::{AssemblyRow, AssemblyRows, assemble};
use crate::script::{MovedPlaces, ScriptItem};
use crate::version::UnrealVersions;

/// Code that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AssembledCode {
    /// The function, state, struct or class.
    pub object: String,
    /// Whether it is another one now.
    pub is_changed: bool,
    /// Its size in memory before and now, bytes.
    pub sizes: [u64; 2],
}

/// Finds names and objects in a package, and adds those that are missing.
struct EditRows<'a> {
    edit: &'a mut Edit,
    names: NameTexts,
}

impl AssemblyRows for EditRows<'_> {
    fn name(&mut self, text: &str) -> Result<Name> {
        self.names.add_new(self.edit);
        match self.names.find(text, self.edit) {
            Some(name) => Ok(name),
            None => AsNeeded(self.edit).name(text),
        }
    }

    fn object(&mut self, text: &str) -> Result<PackageIndex> {
        match object_called(self.edit, text) {
            Some(index) => Ok(index),
            None => Access::Write(&mut AsNeeded(self.edit) as &mut dyn Additions).object(text),
        }
    }

    fn has(&self, row: AssemblyRow) -> bool {
        match row {
            AssemblyRow::Name(row) => {
                usize::try_from(row).is_ok_and(|row| row < self.edit.names().len())
            }
            AssemblyRow::Object(index) => match index.target() {
                ObjectRef::Null => true,
                ObjectRef::Import(row) => row < self.edit.imports().len(),
                ObjectRef::Export(row) => row < self.edit.exports().len(),
            },
        }
    }

    fn is_none(&self, name: &Name) -> bool {
        self.edit.name_text(*name).eq_ignore_ascii_case("None")
    }
}

/// A part of a text: whose code it is, the first line of the statements, and these.
type Section<'a> = (&'a str, usize, &'a str);

/// The parts of a text, each from `code` and a path to `end`.
fn sections(text: &str) -> Result<Vec<Section<'_>>> {
    let wrong = |line: usize, reason: &str| Error::invalid(format!("line {line}: {reason}"));
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut open: Option<(&str, usize, usize)> = None;
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let words = line.trim();
        match (open, words.strip_prefix("code ")) {
            (Some((object, first, start)), _) if words == "end" => {
                found.push((object, first, &text[start..at]));
                open = None;
            }
            (Some(_), Some(_)) => return Err(wrong(number, "'end' is missing before this")),
            // One of them would be lost.
            (None, Some(object)) if !seen.insert(object.trim().to_lowercase()) => {
                let object = object.trim();
                return Err(wrong(
                    number,
                    &format!("the code of {object} stands here a second time"),
                ));
            }
            (None, Some(object)) => open = Some((object.trim(), number + 1, at + line.len())),
            (None, None) if !words.is_empty() && !words.starts_with(';') => {
                return Err(wrong(number, "'code' and the path of an object belong before this"));
            }
            _ => {}
        }
        at += line.len();
    }
    match open {
        Some((object, first, _)) => {
            Err(wrong(first - 1, &format!("the code of {object} has no 'end'")))
        }
        None => Ok(found),
    }
}

impl Edit {
    /// Puts code back from text, as [`CodeTexts::section`] writes it: any number of functions, states, structs and
    /// classes. Sizes and jumps are computed; names that are missing are added, and objects that are written with
    /// their class imported. Places in the code that other objects of the package know follow, where the
    /// statement there is the same as before: what stands in a state, replication conditions, the events that enter
    /// an event graph.
    ///
    /// [`CodeTexts::section`]: crate::inspect::CodeTexts::section
    ///
    /// # Errors
    /// `Invalid` with the line where the text does not follow the grammar of the versions, for an object without
    /// code, and where something refers to a statement that is another one now; `Refused` where something that is
    /// not decoded may; `Doubtful` for changed code that the engine could not run ([`Decompiler::code_faults`]).
    /// Then nothing has changed.
    ///
    /// [`Decompiler::code_faults`]: crate::decompile::Decompiler::code_faults
    pub fn assemble(&mut self, text: &str) -> Result<Vec<AssembledCode>> {
        self.assemble_with(text, DeclaredScripts::default())
    }

    /// As [`Edit::assemble`]; calls of functions of other packages are checked by what those declare.
    ///
    /// # Errors
    /// As [`Edit::assemble`].
    pub fn assemble_with(
        &mut self,
        text: &str,
        declared: DeclaredScripts,
    ) -> Result<Vec<AssembledCode>> {
        self.transact(|edit| {
            let mut changed = Vec::new();
            let sections = sections(text)?;
            let mut names = NameTexts::of(edit);
            let (mut done, mut moves) = (Vec::with_capacity(sections.len()), Vec::new());
            for (object, line, statements) in sections {
                let row = edit.find_export(object)?;
                let versions = edit.versions().of_bodies();
                let mut rows = EditRows { edit, names };
                let items = assemble(statements, line, &versions, &mut rows)
                    .map_err(|error| error_of(object, error))?
                    .items;
                names = rows.names;
                let (code, moved) = edit.set_code(row, items, None)?;
                if code.is_changed {
                    changed.push(row);
                }
                done.push(code);
                moves.extend(moved.map(|moved| (row, moved)));
            }
            // All texts say places as they were before any of them was put back.
            for (row, moved) in moves {
                edit.move_entries(row, &moved)?;
            }
            edit.check_code(&changed, declared)?;
            Ok(done)
        })
    }

    /// Code that the engine could not run is doubtful. Functions are looked for when all of it is in place.
    fn check_code(&self, rows: &[usize], declared: DeclaredScripts) -> Result<()> {
        if rows.is_empty() || !self.checks {
            return Ok(());
        }
        Decompiler::with(self, declared).check_code(rows.iter().copied())
    }

    /// Gives an object this code. What else refers to places in it is to follow, if something moved. `table` is where
    /// a state's table of labels lies in the new code; else it goes where the code went.
    pub(super) fn set_code(
        &mut self,
        row: usize,
        items: Vec<ScriptItem>,
        table: Option<u16>,
    ) -> Result<(AssembledCode, Option<MovedPlaces>)> {
        let object = self.exports().path(row);
        let versions = self.versions().clone();
        let context = self.decoding_context();
        let decoded = self.values().editable(row, &context)?;
        let code = decoded.body.native.code().ok_or_else(|| self.no_code(row))?;
        let mut old = code.items.clone();
        for item in &mut old {
            if let ScriptItem::Text(span) | ScriptItem::Wide(span) = item {
                span.materialize(self.source())?;
            }
        }
        let size = |items: &[ScriptItem]| -> u64 {
            items.iter().map(|item| u64::from(item.memory_size(&versions))).sum()
        };
        let sizes = [size(&old), size(&items)];
        if is_equal(&old, &items) {
            return Ok((AssembledCode { object, is_changed: false, sizes }, None));
        }
        let none = |name: &Name| self.name_text(*name).eq_ignore_ascii_case("None");
        let moved = MovedPlaces::aligned(&old, &items, &versions, none)?;
        self.edit_body(row, |_, body, _| {
            if let Some(code) = body.native.code_mut() {
                code.items = items;
            }
            if let Native::Script(object) = &mut body.native
                && let Some(state) = object.state_mut()
            {
                state.label_table_offset = match (table, state.label_table_offset) {
                    (Some(table), _) => table,
                    (None, u16::MAX) => u16::MAX,
                    (None, offset) => narrow(moved.place(offset.into())?)?,
                };
            }
            Ok(())
        })?;
        let moved = (!moved.is_unchanged()).then_some(moved);
        Ok((AssembledCode { object, is_changed: true, sizes }, moved))
    }
}

/// Whether two pieces of code are the same, with numbers that are none by their bits.
fn is_equal(old: &[ScriptItem], new: &[ScriptItem]) -> bool {
    let is_same = |pair: (&ScriptItem, &ScriptItem)| match pair {
        (ScriptItem::Float(a), ScriptItem::Float(b)) => a.to_bits() == b.to_bits(),
        (ScriptItem::Double(a), ScriptItem::Double(b)) => a.to_bits() == b.to_bits(),
        (a, b) => a == b,
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

/// An error that says whose code it is about.
fn error_of(object: &str, error: Error) -> Error {
    match error.kind() {
        crate::ErrorKind::Invalid { reason } => {
            Error::invalid(format!("code of {object}: {reason}"))
        }
        _ => error,
    }
}
