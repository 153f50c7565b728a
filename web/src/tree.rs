//! The objects and tables of a package as rows: which are shown, and in which order.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use unreal_packages::package::{Package, Section};
use unreal_packages::primitive::{ObjectRef, PackageIndex};

use crate::failure::{Failure, Result};

/// A place in a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Header,
    Names,
    Name(usize),
    Imports,
    Import(usize),
    Exports,
    Export(usize),
    /// A further table, by its place in the file.
    Table(Section),
    /// A thumbnail, by its row.
    Thumbnail(usize),
}

impl Key {
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || Failure::new(format!("'{text}' is no place"), "Choose one in the tree.");
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        let row = || rest.parse::<usize>().map_err(|_| wrong());
        Ok(match word {
            "header" => Self::Header,
            "names" => Self::Names,
            "imports" => Self::Imports,
            "exports" => Self::Exports,
            "name" => Self::Name(row()?),
            "import" => Self::Import(row()?),
            "export" => Self::Export(row()?),
            "thumbnail" => Self::Thumbnail(row()?),
            "table" => {
                let section = serde_json::from_value(Value::String(rest.to_owned()));
                Self::Table(section.map_err(|_| wrong())?)
            }
            _ => return Err(wrong()),
        })
    }

    pub fn of(index: PackageIndex) -> Option<Self> {
        match index.target() {
            ObjectRef::Null => None,
            ObjectRef::Import(row) => Some(Self::Import(row)),
            ObjectRef::Export(row) => Some(Self::Export(row)),
        }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::Names => f.write_str("names"),
            Self::Imports => f.write_str("imports"),
            Self::Exports => f.write_str("exports"),
            Self::Name(row) => write!(f, "name:{row}"),
            Self::Import(row) => write!(f, "import:{row}"),
            Self::Export(row) => write!(f, "export:{row}"),
            Self::Thumbnail(row) => write!(f, "thumbnail:{row}"),
            Self::Table(section) => {
                let word = serde_json::to_value(section).unwrap_or_default();
                write!(f, "table:{}", word.as_str().unwrap_or_default())
            }
        }
    }
}

/// A row that is shown.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: Key,
    depth: u32,
}

/// Objects within each other.
#[derive(Debug, Default)]
struct Nesting {
    top: Vec<u32>,
    inner: HashMap<u32, Vec<u32>>,
    outer: HashMap<u32, u32>,
}

impl Nesting {
    /// `outer` says the row around a row of a table; what lies in a circle lies at the top.
    fn of(count: usize, outer: impl Fn(usize) -> Option<usize>) -> Self {
        let mut nesting = Self::default();
        for row in 0..count {
            match outer(row).filter(|outer| *outer < count && *outer != row) {
                Some(outer) => {
                    nesting.outer.insert(row as u32, outer as u32);
                    nesting.inner.entry(outer as u32).or_default().push(row as u32);
                }
                None => nesting.top.push(row as u32),
            }
        }
        let mut seen = vec![false; count];
        let mut waiting = nesting.top.clone();
        let reach = |waiting: &mut Vec<u32>, nesting: &Self, seen: &mut Vec<bool>| {
            while let Some(row) = waiting.pop() {
                if !std::mem::replace(&mut seen[row as usize], true) {
                    waiting.extend(nesting.inner.get(&row).into_iter().flatten());
                }
            }
        };
        reach(&mut waiting, &nesting, &mut seen);
        for row in 0..count as u32 {
            if !seen[row as usize] {
                if let Some(outer) = nesting.outer.remove(&row)
                    && let Some(inner) = nesting.inner.get_mut(&outer)
                {
                    inner.retain(|it| *it != row);
                }
                nesting.top.push(row);
                reach(&mut vec![row], &nesting, &mut seen);
            }
        }
        nesting
    }

    fn inner(&self, row: usize) -> &[u32] {
        self.inner.get(&(row as u32)).map_or(&[], Vec::as_slice)
    }

    fn outers(&self, row: usize) -> impl Iterator<Item = usize> {
        let next = |row: &u32| self.outer.get(row).copied();
        std::iter::successors(next(&(row as u32)), next).map(|row| row as usize)
    }
}

/// The tree of a package.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    exports: Nesting,
    imports: Nesting,
    tables: Vec<Section>,
    thumbnails: usize,
    open: HashSet<Key>,
    rows: Vec<Row>,
    filter: String,
    /// What the filter lets through, with what lies around it.
    shown: Option<HashSet<Key>>,
    found: usize,
}

impl Tree {
    pub fn of(package: &Package) -> Self {
        let mut tree = Self::default();
        tree.open.insert(Key::Exports);
        tree.nest(package);
        tree.lay_out(package);
        tree
    }

    fn nest(&mut self, package: &Package) {
        let exports = package.exports();
        self.exports = Nesting::of(exports.len(), |row| {
            match package.outer(PackageIndex::export(row)).target() {
                ObjectRef::Export(outer) => Some(outer),
                _ => None,
            }
        });
        self.imports = Nesting::of(package.imports().len(), |row| {
            match package.outer(PackageIndex::import(row)).target() {
                ObjectRef::Import(outer) => Some(outer),
                _ => None,
            }
        });
        let mut tables = Vec::new();
        self.thumbnails = package.tables().thumbnails.len();
        for place in package.sections() {
            let is_own = matches!(
                place.section,
                Section::Summary
                    | Section::Names
                    | Section::Imports
                    | Section::Exports
                    | Section::Body(_)
                    | Section::Gap(_)
                    | Section::ThumbnailImage(_)
            );
            if !is_own && place.size > 0 && !tables.contains(&place.section) {
                tables.push(place.section);
            }
        }
        self.tables = tables;
    }

    /// For a package that has changed.
    pub fn renew(&mut self, package: &Package) {
        self.nest(package);
        let filter = std::mem::take(&mut self.filter);
        self.filter(package, &filter);
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn found(&self) -> usize {
        self.found
    }

    pub fn set_open(&mut self, key: Key, open: bool) {
        match open {
            true => self.open.insert(key),
            false => self.open.remove(&key),
        };
    }

    pub fn row_of(&self, key: Key) -> Option<usize> {
        self.rows.iter().position(|row| row.key == key)
    }

    /// Shows only what has this text in its name or class, and what lies around that.
    pub fn filter(&mut self, package: &Package, text: &str) {
        text.clone_into(&mut self.filter);
        self.found = 0;
        self.shown = (!text.is_empty()).then(|| {
            let wanted = text.to_lowercase();
            let has = |text: &str| text.to_lowercase().contains(&wanted);
            let mut shown = HashSet::new();
            for export in package.exports().iter() {
                let class = export.class();
                if has(&export.name()) || has(class.rsplit('.').next().unwrap_or_default()) {
                    self.found += 1;
                    shown.insert(Key::Export(export.row()));
                    shown.extend(self.exports.outers(export.row()).map(Key::Export));
                    shown.insert(Key::Exports);
                }
            }
            for import in package.imports().iter() {
                if has(&import.name()) || has(import.class().rsplit('.').next().unwrap_or_default())
                {
                    self.found += 1;
                    shown.insert(Key::Import(import.row()));
                    shown.extend(self.imports.outers(import.row()).map(Key::Import));
                    shown.insert(Key::Imports);
                }
            }
            for (row, name) in package.names().iter().enumerate() {
                if has(&name) {
                    self.found += 1;
                    shown.insert(Key::Name(row));
                    shown.insert(Key::Names);
                }
            }
            shown
        });
        self.lay_out(package);
    }

    fn is_open(&self, key: Key) -> bool {
        self.shown.is_some() || self.open.contains(&key)
    }

    fn lets_through(&self, key: Key) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.contains(&key))
    }

    /// Finds out which rows are shown.
    pub fn lay_out(&mut self, package: &Package) {
        let mut rows = Vec::new();
        let mut push = |key: Key, depth: u32| rows.push(Row { key, depth });
        if self.lets_through(Key::Header) {
            push(Key::Header, 0);
        }
        let (exports, imports) = (package.exports().len(), package.imports().len());
        let groups =
            [(Key::Exports, exports), (Key::Imports, imports), (Key::Names, package.names().len())];
        for (group, count) in groups {
            if count == 0 || !self.lets_through(group) {
                continue;
            }
            push(group, 0);
            if !self.is_open(group) {
                continue;
            }
            let (nesting, key): (_, fn(usize) -> Key) = match group {
                Key::Exports => (&self.exports, Key::Export),
                Key::Imports => (&self.imports, Key::Import),
                _ => {
                    let names = (0..count).map(Key::Name).filter(|key| self.lets_through(*key));
                    names.for_each(|key| push(key, 1));
                    continue;
                }
            };
            let mut waiting: Vec<(u32, u32)> =
                nesting.top.iter().rev().map(|row| (*row, 1)).collect();
            while let Some((row, depth)) = waiting.pop() {
                let key = key(row as usize);
                if !self.lets_through(key) {
                    continue;
                }
                push(key, depth);
                if self.is_open(key) {
                    let inner = nesting.inner(row as usize).iter().rev();
                    waiting.extend(inner.map(|row| (*row, depth + 1)));
                }
            }
        }
        for section in &self.tables {
            let key = Key::Table(*section);
            if self.lets_through(key) {
                push(key, 0);
                if *section == Section::ThumbnailTable && self.is_open(key) {
                    (0..self.thumbnails).for_each(|row| push(Key::Thumbnail(row), 1));
                }
            }
        }
        self.rows = rows;
    }

    /// The row of a place, with everything around it opened.
    pub fn locate(&mut self, package: &Package, key: Key) -> Option<usize> {
        if !self.lets_through(key) {
            self.filter(package, "");
        }
        match key {
            Key::Export(row) => {
                let outers: Vec<_> = self.exports.outers(row).map(Key::Export).collect();
                self.open.extend(outers);
                self.open.insert(Key::Exports);
            }
            Key::Import(row) => {
                let outers: Vec<_> = self.imports.outers(row).map(Key::Import).collect();
                self.open.extend(outers);
                self.open.insert(Key::Imports);
            }
            Key::Name(_) => drop(self.open.insert(Key::Names)),
            Key::Thumbnail(_) => drop(self.open.insert(Key::Table(Section::ThumbnailTable))),
            _ => {}
        }
        self.lay_out(package);
        self.row_of(key)
    }

    /// Some of the rows.
    pub fn rows(&self, package: &Package, from: usize, count: usize) -> Value {
        let end = from.saturating_add(count).min(self.rows.len());
        let rows = self.rows.get(from.min(end)..end).unwrap_or_default();
        let rows: Vec<_> = rows.iter().map(|row| self.row(package, row)).collect();
        json!({ "total": self.rows.len(), "from": from, "rows": rows })
    }

    fn row(&self, package: &Package, row: &Row) -> Value {
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let (label, detail, icon, inner) = match row.key {
            Key::Header => ("Header".to_owned(), String::new(), "header".to_owned(), 0),
            Key::Names => (
                "Names".to_owned(),
                grouped(package.names().len()),
                "names".to_owned(),
                package.names().len(),
            ),
            Key::Imports => (
                "Imports".to_owned(),
                grouped(package.imports().len()),
                "imports".to_owned(),
                package.imports().len(),
            ),
            Key::Exports => (
                "Exports".to_owned(),
                grouped(package.exports().len()),
                "exports".to_owned(),
                package.exports().len(),
            ),
            Key::Name(at) => (
                package.names().get(at).unwrap_or_default().into_owned(),
                at.to_string(),
                "name".to_owned(),
                0,
            ),
            Key::Import(at) => {
                let import = package.imports().get(at);
                let class = import.map(|import| last(&import.class())).unwrap_or_default();
                let name = import.map(|import| import.name()).unwrap_or_default();
                (name, class, "import".to_owned(), self.imports.inner(at).len())
            }
            Key::Export(at) => {
                let export = package.exports().get(at);
                let class = export.map(|export| last(&export.class())).unwrap_or_default();
                let name = export.map(|export| export.name()).unwrap_or_default();
                (name, class.clone(), class, self.exports.inner(at).len())
            }
            Key::Table(section) => {
                let inner = if section == Section::ThumbnailTable { self.thumbnails } else { 0 };
                (title(&section.to_string()), String::new(), "table".to_owned(), inner)
            }
            Key::Thumbnail(at) => {
                (format!("Thumbnail {at}"), String::new(), "thumbnail".to_owned(), 0)
            }
        };
        json!({ "key": row.key.to_string(), "depth": row.depth, "label": label, "detail": detail,
                "icon": icon, "inner": inner, "open": inner > 0 && self.is_open(row.key) })
    }
}

/// `soft_object_paths` as people read it.
pub(crate) fn title(step: &str) -> String {
    let text = step.replace(['_', '-'], " ");
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
