//! The hash of a body that does not depend on the tables of its package.

use crate::archive::{Archived, Saver};
use crate::object::Body;
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Where bodies stand that are hashed: positions in them are written as from there.
const BASE: u64 = 1 << 20;
/// Hexadecimal digits of the hash.
const DIGITS: usize = 32;

/// Numbers that rows of a table get in the order in which a body uses them.
#[derive(Default)]
struct LocalRows {
    /// By row: the body that used it last, and its number there.
    seen: Vec<(u32, i32)>,
    used: Vec<i32>,
}

impl LocalRows {
    fn number(&mut self, body: u32, place: usize, row: i32) -> i32 {
        if place >= self.seen.len() {
            self.seen.resize(place + 1, (0, 0));
        }
        let (last, number) = &mut self.seen[place];
        if *last != body {
            self.used.push(row);
            (*last, *number) = (body, self.used.len() as i32);
        }
        *number
    }
}

/// Hashes the bodies of one package: what bodies say with numbers of tables is hashed as the texts that stand
/// there, so that equal objects of different packages have one hash.
pub(super) struct BodyHasher<'a> {
    package: &'a Package,
    saver: Saver,
    body: u32,
    names: LocalRows,
    objects: LocalRows,
    /// A hash of all tables, for bodies that are not decoded whole: what stands in them nobody knows.
    tables: Option<blake3::Hash>,
}

impl<'a> BodyHasher<'a> {
    pub fn new(package: &'a Package) -> Self {
        let context = package.decoding_context();
        let saver = Saver::new(package.versions().of_bodies()).with_context(context);
        let (names, objects) = Default::default();
        Self { package, saver, body: 0, names, objects, tables: None }
    }

    /// The next body comes.
    pub(super) fn start(&mut self) {
        self.body += 1;
        self.names.used.clear();
        self.objects.used.clear();
    }

    /// The number of a name in this body.
    pub fn name(&mut self, name: &mut Name) {
        let row = name.index.value();
        if let Ok(place) = usize::try_from(row)
            && place < self.package.names().len()
        {
            name.index = crate::Index::new(self.names.number(self.body, place, row));
        }
    }

    /// The number of an object in this body.
    pub fn object(&mut self, index: &mut PackageIndex) {
        let imports = self.package.imports().len();
        let place = match index.target() {
            ObjectRef::Null => return,
            ObjectRef::Import(row) => row,
            ObjectRef::Export(row) => imports + row,
        };
        if place < imports + self.package.exports().len() {
            let number = self.objects.number(self.body, place, index.value());
            *index = PackageIndex::new(number);
        }
    }

    /// The hash of a body whose names and objects have their numbers, together with what else it says: texts
    /// of `others`.
    pub fn finish(&mut self, body: &mut Body, is_whole: bool, others: &[String]) -> Option<String> {
        self.saver.restart(BASE);
        body.serialize(&mut self.saver).ok()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.saver.bytes());
        let mut text = |text: &str| {
            let lower = text.to_ascii_lowercase();
            hasher.update(lower.as_bytes());
            hasher.update(&[0]);
        };
        for row in &self.names.used {
            text(&self.package.name_text(Name::new(*row)));
        }
        text("");
        for index in &self.objects.used {
            // An object of the package itself is not one that is imported.
            text(if *index > 0 { "export" } else { "import" });
            text(&self.package.path(PackageIndex::new(*index)));
        }
        others.iter().for_each(|other| text(other));
        if !is_whole {
            hasher.update(self.tables().as_bytes());
        }
        Some(digits(&hasher.finalize()))
    }

    /// The hash of a body that is not decoded at all.
    pub fn raw(&mut self, row: usize) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.package.body(row).unwrap_or_default());
        hasher.update(self.tables().as_bytes());
        digits(&hasher.finalize())
    }

    /// A hash of what numbers in bodies can mean.
    fn tables(&mut self) -> blake3::Hash {
        let package = self.package;
        *self.tables.get_or_insert_with(|| {
            let mut hasher = blake3::Hasher::new();
            let mut text = |text: &str| {
                hasher.update(text.as_bytes());
                hasher.update(&[0]);
            };
            package.names().iter().for_each(|name| text(&name));
            package.imports().iter().for_each(|import| text(&import.path()));
            package.exports().iter().for_each(|export| text(&export.path()));
            hasher.finalize()
        })
    }
}

fn digits(hash: &blake3::Hash) -> String {
    hash.to_hex()[..DIGITS].to_owned()
}
