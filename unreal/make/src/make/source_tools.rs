//! Classes that are being written: what editors ask about them.

use std::sync::Arc;

use crate::compile::{
    ClassDeclarations, ClassId, Diagnostic, SourceMeaning, SourceOrigin, Symbols, TextPlace,
};
use crate::error::Result;

use super::maker::Maker;
use super::text::ClassSource;

/// Classes that are being written, with what they build on.
///
/// Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone)]
pub struct SourceTools {
    symbols: Symbols,
    /// The files with their classes.
    classes: Vec<(String, ClassId)>,
    diagnostics: Vec<Diagnostic>,
}

impl SourceTools {
    /// Reads and compiles the sources of a maker.
    ///
    /// # Errors
    /// As [`Maker::check`].
    pub fn new(maker: Maker) -> Result<Self> {
        let mut symbols = maker.symbols.clone();
        let mut classes = Vec::new();
        for source in &maker.sources {
            if let Some(declared) = ClassDeclarations::of(source.syntax.clone()) {
                let class = symbols.add_own(&maker.name, Arc::new(declared));
                classes.push((source.file.clone(), class));
            }
        }
        let diagnostics = maker.check()?;
        Ok(Self { symbols, classes, diagnostics })
    }

    /// Errors and warnings of all files.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn place(&self, file: &str, line: u32, column: u32) -> Option<(ClassId, usize)> {
        let class = self.classes.iter().find(|(known, _)| known == file)?.1;
        let source = &self.symbols.class(class).syntax.as_deref()?.source;
        Some((class, source.offset_of_file_place(line, column)?))
    }

    /// Where the text of a class declares something, by its path within the package: `Actor.Touch`. For texts of packages
    /// around, which the classes at hand know without them.
    pub fn place_in(file: &str, text: &str, path: &str) -> Option<TextPlace> {
        let declared = ClassDeclarations::of(ClassSource::of(file, text).syntax)?;
        let mut symbols = Symbols::default();
        let class = symbols.add_own("", Arc::new(declared));
        let is_it =
            |meaning: &SourceMeaning| symbols.origin_of(*meaning).path.eq_ignore_ascii_case(path);
        let meaning = symbols.meanings_in(class).into_iter().find(is_it)?;
        Some(symbols.origin_of(meaning).place?.1)
    }

    /// The declaration of what stands at a place, one line, and where it is from.
    pub fn hover(&self, file: &str, line: u32, column: u32) -> Option<(String, SourceOrigin)> {
        let (class, byte) = self.place(file, line, column)?;
        let meaning = self.symbols.meaning_at(class, byte)?;
        Some((self.symbols.declaration_of(meaning), self.symbols.origin_of(meaning)))
    }

    /// What may stand at a place: names with their declarations, and whether each is called.
    pub fn completions(&self, file: &str, line: u32, column: u32) -> Vec<(String, String, bool)> {
        let Some((class, byte)) = self.place(file, line, column) else { return Vec::new() };
        let all = self.symbols.completions_at(class, byte);
        let mut seen = std::collections::HashSet::new();
        let mut found: Vec<_> = all
            .into_iter()
            .map(|it| {
                let is_call = matches!(it, SourceMeaning::Function(_));
                (self.symbols.name_of(it).to_owned(), self.symbols.declaration_of(it), is_call)
            })
            .collect();
        // What a class below declares hides what those above do.
        found.retain(|(name, ..)| !name.is_empty() && seen.insert(name.to_lowercase()));
        found
    }
}
