//! Every text of a package, with the place where it stands: what searches go through.

use std::fmt;
use std::sync::Arc;

use super::CodeTexts;
use super::property_texts::single_values;
use super::table_rows::clear_rows;
use super::values::PackageValues;
use crate::archive::Context;
use crate::package::{Decoded, Package};
use crate::primitive::{Name, NameContext, Visitor, Way};
use crate::property::PropertyList;
use crate::table::Section;

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TextKind {
    /// A row of the name table.
    Name,
    /// The path of an import.
    Import,
    /// The path of an export.
    Export,
    /// A single value of a property, or a name among what a class adds.
    Value,
    /// A line of a text that a class or a table holds: carried source, comments, tags.
    Text,
    /// A statement of code, as [`CodeTexts`] writes it.
    Code,
}

/// A text of a package and where it stands.
#[derive(Clone, Copy)]
pub struct FoundText<'a> {
    /// Its kind.
    pub kind: TextKind,
    /// The row of the name, import or export, or of the export that holds it; `None` for other tables.
    pub row: Option<usize>,
    /// Whether `path` is that of a property, as [`Values::property`](super::Values::property) takes it.
    pub is_property: bool,
    /// The path within the object or the tables; empty for names, imports, exports and code.
    pub path: &'a dyn fmt::Display,
    /// The line, from 1: of a text of several lines, and of the code as [`CodeTexts::section`] writes it.
    pub line: Option<usize>,
    /// The text.
    pub text: &'a str,
}

impl fmt::Debug for FoundText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoundText")
            .field("kind", &self.kind)
            .field("row", &self.row)
            .field("path", &self.path.to_string())
            .field("line", &self.line)
            .field("text", &self.text)
            .finish()
    }
}

type Each<'a, E> = &'a mut dyn FnMut(FoundText<'_>) -> Result<(), E>;

/// Hands out every text of the wanted kinds: tables first, then one object after the other. Bodies are decoded
/// one by one and not kept, so no more is in memory than what the largest one needs. Returns how many bodies
/// are not decoded whole, whose texts are missing; 0 where no kind is wanted that bodies hold.
///
/// # Errors
/// The error of `each`, which ends the walk.
pub fn each_text<E>(package: &Package, wanted: &[TextKind], each: Each<'_, E>) -> Result<usize, E> {
    let wants = |kind: TextKind| wanted.contains(&kind);
    if wants(TextKind::Name) {
        for row in 0..package.names().len() {
            let text = package.names().get(row).unwrap_or_default();
            each(of_table(TextKind::Name, row, &text))?;
        }
    }
    if wants(TextKind::Import) {
        for import in package.imports().iter() {
            each(of_table(TextKind::Import, import.row(), &import.path()))?;
        }
    }
    if wants(TextKind::Export) {
        for export in package.exports().iter() {
            each(of_table(TextKind::Export, export.row(), &export.path()))?;
        }
    }
    let context = package.decoding_context();
    if wants(TextKind::Text) {
        let mut tables = FieldTexts::new(&context, wanted, None, each);
        let mut enter = |tables: &mut FieldTexts<'_, '_, E>, section| {
            let listed = [Section::Names, Section::Imports, Section::Exports];
            tables.is_passed_over = listed.contains(&section);
        };
        package.without_bodies().visit_header(&mut tables, &context, None, &mut enter);
        tables.result?;
    }
    if ![TextKind::Value, TextKind::Text, TextKind::Code].into_iter().any(wants) {
        return Ok(0);
    }
    let code = wants(TextKind::Code).then(|| CodeTexts::new(package));
    let mut decoder = package.decoder();
    let mut unseen = 0;
    for row in 0..package.exports().len() {
        let fresh = decoder.decode(package, row, |_| true);
        let Some(mut found) = fresh.or_else(|| package.bodies().decoded.shared(row).cloned())
        else {
            unseen += usize::from(package.body_range(row).1 > 0);
            continue;
        };
        let decoded = Arc::make_mut(&mut found);
        unseen += usize::from(!decoded.is_complete());
        package.body_texts(row, decoded, &context, (wanted, code.as_ref()), each)?;
    }
    Ok(unseen)
}

trait BodyTexts {
    /// The texts of a body, of which properties and code are taken out.
    fn body_texts<E>(
        &self,
        row: usize,
        decoded: &mut Decoded,
        context: &Arc<Context>,
        asked: (&[TextKind], Option<&CodeTexts<'_>>),
        each: Each<'_, E>,
    ) -> Result<(), E>;
}

impl BodyTexts for Package {
    fn body_texts<E>(
        &self,
        row: usize,
        decoded: &mut Decoded,
        context: &Arc<Context>,
        (wanted, code): (&[TextKind], Option<&CodeTexts<'_>>),
        each: Each<'_, E>,
    ) -> Result<(), E> {
        let body = &mut decoded.body;
        let mut properties = Vec::new();
        // The defaults of a struct can't be asked for by path.
        let mut is_property = self.values().list_of(row, body).is_ok();
        // What ends a list stays: a name of its own would be no name of this package.
        let take = |list: &mut PropertyList| {
            let emptied = list.emptied();
            std::mem::replace(list, emptied)
        };
        let lists: Vec<_> = body.lists_mut().map(take).collect();
        if wanted.contains(&TextKind::Value) {
            for list in lists {
                let listed = self.values().listed(row, &list, context);
                properties.extend(listed.into_iter().map(|known| (is_property, known)));
                is_property = false;
            }
            let rows = self.values().rows_of(row, body, context).unwrap_or_default();
            properties.extend(rows.into_iter().map(|known| (true, known)));
        }
        clear_rows(body);
        for (is_property, known) in properties {
            single_values(&known.path, &known.text, &mut |path, text| {
                let (kind, row, line) = (TextKind::Value, Some(row), None);
                each(FoundText { kind, row, is_property, path: &path, line, text })
            })?;
        }
        let script = body.native.code_mut().map(std::mem::take);
        if [TextKind::Value, TextKind::Text].iter().any(|kind| wanted.contains(kind)) {
            let mut native = FieldTexts::new(context, wanted, Some(row), each);
            self.show_body(body, context, &mut native);
            native.result?;
        }
        // Code that was loaded follows the grammar.
        let lines = script.zip(code).map(|(script, code)| code.lines(&script).unwrap_or_default());
        for (text, line) in lines.iter().flat_map(|lines| lines.lines()).zip(2..) {
            let (kind, line) = (TextKind::Code, Some(line));
            let row = Some(row);
            each(FoundText { kind, row, is_property: false, path: &"", line, text })?;
        }
        Ok(())
    }
}

fn of_table(kind: TextKind, row: usize, text: &str) -> FoundText<'_> {
    FoundText { kind, row: Some(row), is_property: false, path: &"", line: None, text }
}

/// Hands on what is shown to it.
struct FieldTexts<'a, 'e, E> {
    context: &'a Context,
    wanted: &'a [TextKind],
    row: Option<usize>,
    /// Whether the section is one whose texts are handed out by rows.
    is_passed_over: bool,
    each: Each<'e, E>,
    result: Result<(), E>,
}

impl<'a, 'e, E> FieldTexts<'a, 'e, E> {
    fn new(
        context: &'a Context,
        wanted: &'a [TextKind],
        row: Option<usize>,
        each: Each<'e, E>,
    ) -> Self {
        Self { context, wanted, row, is_passed_over: false, each, result: Ok(()) }
    }

    fn hand_on(&mut self, kind: TextKind, path: &Way, line: Option<usize>, text: &str) {
        if self.result.is_ok() {
            let found = FoundText { kind, row: self.row, is_property: false, path, line, text };
            self.result = (self.each)(found);
        }
    }
}

impl<E> Visitor for FieldTexts<'_, '_, E> {
    fn name(&mut self, name: &mut Name, path: &Way) {
        // Of the tables the name table says them all.
        if self.row.is_none() || !self.wanted.contains(&TextKind::Value) {
            return;
        }
        let Some(text) = self.context.name_text(name) else { return };
        if !text.eq_ignore_ascii_case("None") {
            self.hand_on(TextKind::Value, path, None, &text);
        }
    }

    fn text(&mut self, text: &dyn Fn() -> String, path: &Way) {
        if self.is_passed_over || !self.wanted.contains(&TextKind::Text) || self.result.is_err() {
            return;
        }
        let text = text();
        if !text.contains('\n') {
            return self.hand_on(TextKind::Text, path, None, &text);
        }
        for (line, number) in text.lines().zip(1..) {
            self.hand_on(TextKind::Text, path, Some(number), line);
        }
    }
}
