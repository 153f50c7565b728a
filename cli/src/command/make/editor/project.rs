//! A folder of classes that are being written.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{Diagnostic, DiagnosticSeverity, Position, Range};
use unreal_packages::environment::Environment;
use unreal_packages::file;
use unreal_packages::make::{GameCompiler, Maker, SourceTools, source_text};

use super::columns::Columns;
use crate::args::OpenArgs;
use crate::command::make::compiler_of;
use crate::command::make::sources::{Job, add_environment, class_files};
use crate::failure::Failure;

/// A folder of classes, and what they build on.
pub struct Project {
    /// With the packages around, which are read once.
    base: Maker,
    compiler: GameCompiler,
    environment: Option<Arc<Environment>>,
    /// The texts of the classes that were read last.
    texts: HashMap<PathBuf, String>,
    tools: Option<SourceTools>,
    /// Files that the editor shows something about.
    shown: BTreeSet<PathBuf>,
}

impl Project {
    /// The classes in a folder; `source` is what the server was started for: the folder of a game is its environment.
    pub fn open(
        folder: &Path,
        source: &Path,
        profile: Option<&GameCompiler>,
        open: &OpenArgs,
    ) -> Result<Self, Failure> {
        let mut environment = open.environment(folder)?;
        if environment.is_none() {
            let of_game = Environment::open(source).ok();
            let has_packages = |it: &Environment| !it.settings().edit_packages.is_empty();
            environment = of_game.filter(has_packages).map(Arc::new);
        }
        let compiler = match profile {
            Some(compiler) => compiler.clone(),
            None => compiler_of(None, environment.as_deref())?,
        };
        let name = Job::of_folder(folder, Vec::new(), None).name;
        let mut base = Maker::for_game(&name, &compiler);
        if let Some(environment) = &environment {
            add_environment(&mut base, environment, &name)?;
        }
        let (texts, shown) = (HashMap::new(), BTreeSet::new());
        Ok(Self { base, compiler, environment, texts, tools: None, shown })
    }

    /// Reads and compiles the classes; `written` has the texts of files that are open in the editor.
    pub fn read(
        &mut self,
        folder: &Path,
        written: &HashMap<PathBuf, String>,
    ) -> Result<(), Failure> {
        let mut files: Vec<PathBuf> = class_files(folder).unwrap_or_default();
        let is_own = |path: &&PathBuf| path.parent() == Some(folder);
        for path in written.keys().filter(is_own) {
            // One that was never saved has no file yet.
            let is_class = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("uc"));
            if is_class && !files.contains(path) {
                files.push(path.clone());
            }
        }
        self.texts.clear();
        for path in &files {
            let text = match written.get(path) {
                Some(text) => text.clone(),
                None => source_text(&file::read_found(path)?.0),
            };
            self.texts.insert(path.clone(), text);
        }
        let mut maker = self.base.clone();
        let job = Job::of_folder(folder, files, None);
        job.add_sources(&mut maker, false, |path| {
            let text = self.texts.get(path).cloned().unwrap_or_default();
            Ok((self.name_of(path), text))
        })?;
        job.add_content(&mut maker, &self.compiler)?;
        self.tools = Some(SourceTools::new(maker)?);
        Ok(())
    }

    /// What is known of the classes.
    pub fn tools(&self) -> Option<&SourceTools> {
        self.tools.as_ref()
    }

    /// The packages around.
    pub fn environment(&self) -> Option<&Environment> {
        self.environment.as_deref()
    }

    /// The name of a file in messages.
    pub fn name_of(&self, path: &Path) -> String {
        path.to_string_lossy().into_owned()
    }

    /// The file that messages have a name for.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        self.texts.get_key_value(Path::new(name)).map(|(path, _)| path.clone())
    }

    /// A line of a file, from 0.
    pub fn line(&self, path: &Path, line: u32) -> Option<&str> {
        Some(self.texts.get(path)?.lines().nth(line as usize).unwrap_or_default())
    }

    /// What is wrong, by file; files that are well now are among them, with nothing.
    pub fn publish(&mut self, columns: Columns) -> Vec<(PathBuf, Vec<Diagnostic>)> {
        let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> =
            std::mem::take(&mut self.shown).into_iter().map(|path| (path, Vec::new())).collect();
        // A file without anything is told as well: the editor knows then that it was looked at.
        all.extend(self.texts.keys().map(|path| (path.clone(), Vec::new())));
        for found in self.tools.iter().flat_map(SourceTools::diagnostics) {
            let Some(path) = self.path_of(&found.file) else { continue };
            let line = found.line.saturating_sub(1);
            let text = self.line(&path, line).unwrap_or_default();
            let start = found.column.saturating_sub(1);
            let at = |characters| {
                let character = columns.column_behind(text, characters);
                Position { line, character }
            };
            let hint = found.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            let diagnostic = Diagnostic {
                range: Range { start: at(start), end: at(start.saturating_add(found.length)) },
                severity: Some(match found.is_error() {
                    true => DiagnosticSeverity::ERROR,
                    false => DiagnosticSeverity::WARNING,
                }),
                source: Some("upk".to_owned()),
                message: format!("{}{hint}", found.message),
                ..Diagnostic::default()
            };
            all.entry(path).or_default().push(diagnostic);
        }
        let has_some = |(_, found): &(&PathBuf, &Vec<Diagnostic>)| !found.is_empty();
        self.shown = all.iter().filter(has_some).map(|(path, _)| path.clone()).collect();
        all.into_iter().collect()
    }
}
