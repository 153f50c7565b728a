//! One package: as it was opened, as it is now, what was changed.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use unreal_packages::container::zen::ImportNames;
use unreal_packages::decompile::Decompiler;
use unreal_packages::edit::EditOptions;
use unreal_packages::package::{Companion, CompanionKind, OpenOptions, Package, SaveOptions};
use unreal_packages::property::Mappings;
use unreal_packages::{EngineRelease, Game};

use crate::answer::Answer;
use crate::change::{Change, Done};
use crate::content;
use crate::details;
use crate::failure::{Failure, Result};
use crate::tree::{Key, Tree};
use crate::typed_bytes;

/// How a package is read, where its file does not say it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    pub game: Option<Game>,
    pub engine: Option<EngineRelease>,
    pub mappings: Option<Arc<Mappings>>,
    /// What packages of containers import, as far as it is known.
    pub import_names: Option<Arc<dyn ImportNames>>,
    /// The packages that it imports from, as its container says; none where it is in none.
    pub imported: Arc<[u64]>,
    /// Files that lie beside it.
    pub companions: Vec<Companion>,
}

impl Form {
    fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new().threads(1);
        if let Some(game) = self.game {
            options = options.game(game);
        }
        if let Some(engine) = self.engine {
            options = options.engine(engine);
        }
        if let Some(mappings) = &self.mappings {
            options = options.mappings(mappings.clone());
        }
        if let Some(names) = &self.import_names {
            options = options.import_names(names.clone());
        }
        if !self.imported.is_empty() {
            options = options.imported_packages(self.imported.clone());
        }
        options
    }

    fn open(&self, header: Bytes, bodies: Option<Bytes>) -> unreal_packages::Result<Package> {
        let package = match bodies {
            Some(bodies) => self.options().open_split(&header, &bodies),
            None => self.options().open_bytes(header),
        };
        package.map(|package| self.with_companions(package))
    }

    /// A package that was just saved.
    fn reopen(&self, file: Bytes, split: Option<u64>) -> unreal_packages::Result<Package> {
        let split = split.and_then(|at| usize::try_from(at).ok()).filter(|at| *at <= file.len());
        let package = match split {
            Some(at) => self.options().open_split(&file[..at], &file[at..]),
            None => self.options().open_bytes(file),
        };
        package.map(|package| self.with_companions(package))
    }

    fn with_companions(&self, mut package: Package) -> Package {
        self.companions.iter().for_each(|companion| companion.clone().add_to(&mut package));
        package
    }
}

/// An open package.
pub(crate) struct Opened {
    pub name: String,
    form: Form,
    original: Package,
    /// With what was changed; `None` as long as that is nothing.
    changed: Option<Package>,
    /// Companion files whose bytes the changes have replaced.
    beside: Vec<(CompanionKind, Bytes)>,
    journal: Vec<Entry>,
    /// Changes that are done; those behind were taken back.
    done: usize,
    tree: Tree,
    decompiler: Option<Decompiler>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A change in the order in which they were made.
#[derive(Clone)]
struct Entry {
    change: Change,
    /// The packages that a change goes by, with their names.
    others: Vec<(String, Package)>,
    done: Done,
}

impl Opened {
    pub fn new(name: String, form: Form, header: Bytes, bodies: Option<Bytes>) -> Result<Self> {
        let original = form.open(header, bodies)?;
        let tree = Tree::of(&original);
        let (journal, done, beside) = (Vec::new(), 0, Vec::new());
        let (changed, decompiler) = (None, None);
        Ok(Self { name, form, original, changed, beside, journal, done, tree, decompiler })
    }

    /// How a package beside it is read: it is of the same game and release. What a container says of one is of that one alone.
    pub fn neighbor_options(&self) -> OpenOptions {
        let Form { game, engine, mappings, .. } = self.form.clone();
        Form { game, engine, mappings, ..Form::default() }.options()
    }

    /// The package as it is now.
    pub fn package(&self) -> &Package {
        self.changed.as_ref().unwrap_or(&self.original)
    }

    pub fn original(&self) -> &Package {
        &self.original
    }

    pub fn tree_rows(&self, from: usize, count: usize) -> Value {
        self.tree.rows(self.package(), from, count)
    }

    pub fn toggle(&mut self, key: &str, open: bool) -> Result<Value> {
        let key = Key::parse(key)?;
        self.tree.set_open(key, open);
        let package = self.changed.as_ref().unwrap_or(&self.original);
        self.tree.lay_out(package);
        Ok(json!({ "rows": self.tree.len(), "row": self.tree.row_of(key) }))
    }

    pub fn filter(&mut self, text: &str) -> Value {
        let package = self.changed.as_ref().unwrap_or(&self.original);
        self.tree.filter(package, text);
        json!({ "rows": self.tree.len(), "found": self.tree.found() })
    }

    pub fn locate(&mut self, key: &str) -> Result<Value> {
        let key = self.key(key)?;
        let package = self.changed.as_ref().unwrap_or(&self.original);
        let row = self.tree.locate(package, key);
        Ok(json!({ "rows": self.tree.len(), "row": row, "key": key.to_string() }))
    }

    /// A place by its key, or by the path of an object: `path:Walls.Bricks`.
    pub fn key(&self, key: &str) -> Result<Key> {
        let Some(path) = key.strip_prefix("path:") else { return Key::parse(key) };
        let found = self.package().find(path).and_then(Key::of);
        found.ok_or_else(|| {
            Failure::new(format!("there is no object {path} here"), "Choose one in the tree.")
        })
    }

    pub fn code(&mut self, row: usize) -> Result<Value> {
        let package = self.changed.as_ref().unwrap_or(&self.original);
        let decompiler = self.decompiler.get_or_insert_with(|| Decompiler::new(package));
        content::code(package, decompiler, row)
    }

    /// Does a change, with all that were done before it, in one go from the package as it was opened: what comes
    /// out is what `upk edit` writes for a file of the same changes. Where it fails all is as before.
    pub fn change(&mut self, change: Change, others: Vec<(String, Package)>) -> Result<Value> {
        if let Change::Bytes { at, bytes } = &change {
            let bytes = typed_bytes::parsed(bytes)?;
            return self.change_bytes(*at, &bytes);
        }
        let mut entries: Vec<Entry> = self.journal[..self.done].to_vec();
        entries.push(Entry { change, others, done: Done::default() });
        self.replay(entries)?;
        Ok(self.state())
    }

    /// Sets the property of a field to the value of these bytes; undone where it is saved as other bytes.
    fn change_bytes(&mut self, at: u64, bytes: &[u8]) -> Result<Value> {
        let before = (self.changed.clone(), self.beside.clone(), self.journal.clone(), self.done);
        let (start, change) = typed_bytes::change(self.package(), at, bytes)?;
        let length = self.package().source().len();
        let state = self.change(change, Vec::new())?;
        let source = self.package().source();
        let end = start.saturating_add(bytes.len());
        if source.len() == length && source.get(start..end) == Some(bytes) {
            return Ok(state);
        }
        (self.changed, self.beside, self.journal, self.done) = before;
        self.decompiler = None;
        let package = self.changed.as_ref().unwrap_or(&self.original);
        self.tree.renew(package);
        Err(Failure::new(
            "the value of these bytes would be saved as other bytes",
            "Change it as a value, in the properties.",
        ))
    }

    pub fn undo(&mut self) -> Result<Value> {
        let Some(count) = self.done.checked_sub(1) else {
            return Err(Failure::new("nothing was changed", "Change something first."));
        };
        self.travel(count)
    }

    pub fn redo(&mut self) -> Result<Value> {
        if self.done == self.journal.len() {
            return Err(Failure::new("nothing was taken back", "Undo something first."));
        }
        self.travel(self.done + 1)
    }

    fn travel(&mut self, count: usize) -> Result<Value> {
        let journal = self.journal.clone();
        self.replay(journal[..count].to_vec())?;
        self.journal = journal;
        Ok(self.state())
    }

    fn replay(&mut self, mut entries: Vec<Entry>) -> Result<()> {
        let (changed, beside) = if entries.is_empty() {
            (None, Vec::new())
        } else {
            let mut package = self.original.clone();
            let (_, saved) = SaveOptions::new().edit(&mut package, |edit| {
                for entry in &mut entries {
                    entry.done = entry.change.carry_out(edit, &entry.others, &self.name)?;
                }
                Ok::<_, Failure>(())
            })?;
            drop(package);
            let mut reopened = self.form.reopen(saved.bytes.clone(), saved.split)?;
            for (kind, bytes) in &saved.companions {
                reopened.set_companion(*kind, bytes.clone());
            }
            if SaveOptions::new().save(&mut reopened.clone())?.bytes != saved.bytes {
                return Err(Failure::new(
                    "the result would be saved differently the next time",
                    "Nothing was changed; please report this file.",
                ));
            }
            (Some(reopened), saved.companions)
        };
        (self.changed, self.beside) = (changed, beside);
        self.done = entries.len();
        self.journal = entries;
        self.decompiler = None;
        let package = self.changed.as_ref().unwrap_or(&self.original);
        self.tree.renew(package);
        Ok(())
    }

    fn state(&self) -> Value {
        let mut summary = details::summary(self);
        summary["changes"] = self.changes();
        summary
    }

    pub fn changes(&self) -> Value {
        let list: Vec<_> = self
            .journal
            .iter()
            .map(|entry| json!({ "text": entry.done.text, "command": entry.done.command }))
            .collect();
        json!({ "list": list, "done": self.done })
    }

    /// The files of the package as it is now, and the companions that were changed.
    pub fn save(&self) -> Result<Answer> {
        let package = self.package();
        let file = package.file();
        let mut bytes = file.to_vec();
        let stem = self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem);
        let mut files = match package.split_at() {
            Some(split) => {
                let bodies = file.len() as u64 - split;
                vec![
                    json!({ "name": self.name, "length": split }),
                    json!({ "name": format!("{stem}.uexp"), "length": bodies }),
                ]
            }
            None => vec![json!({ "name": self.name, "length": file.len() })],
        };
        for (kind, beside) in &self.beside {
            let name = format!("{stem}.{}", kind.extension());
            files.push(json!({ "name": name, "length": beside.len() }));
            bytes.extend_from_slice(beside);
        }
        Ok(Answer::with(&json!({ "files": files }), bytes))
    }
}
