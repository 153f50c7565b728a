//! The imports of a zen package by name, as far as these are known.

use std::collections::{HashMap, HashSet};

use super::placeholder;
use super::read::Making;
use crate::container::zen::{
    ImportNames, ImportedObject, KnownObjects, PackageId, ZenForm, ZenHeader, ZenReference,
    ZenTarget, hash,
};
use crate::error::{Error, Result};
use crate::primitive::{Name, PackageIndex};
use crate::table::Import;

/// The package of the engine's own classes.
const CORE: &str = "/Script/CoreUObject";

/// The names and packages that are known beside a zen package.
#[derive(Clone, Copy, Default)]
pub(super) struct KnownNames<'a> {
    pub names: Option<&'a dyn ImportNames>,
    /// Asked before those.
    pub own: Option<&'a KnownObjects>,
    /// The numbers of imported packages, which its container lists.
    pub imported: Option<&'a [u64]>,
}

impl KnownNames<'_> {
    fn all(&self) -> impl Iterator<Item = &dyn ImportNames> {
        let own = self.own.map(|own| own as &dyn ImportNames);
        own.into_iter().chain(self.names)
    }

    fn script(&self, hash: u64) -> Option<ImportedObject> {
        self.all().find_map(|names| names.script(hash))
    }

    fn package(&self, id: u64) -> Option<String> {
        self.all().find_map(|names| names.package(id))
    }

    fn export(&self, package: PackageId<'_>, hash: u64) -> Option<ImportedObject> {
        self.all().find_map(|names| names.export(package, hash))
    }

    fn exports(&self, package: PackageId<'_>) -> Vec<ImportedObject> {
        self.all().flat_map(|names| names.exports(package)).collect()
    }
}

/// A package that is imported from.
#[derive(Debug, Clone, Default)]
struct ImportedPackage {
    id: Option<u64>,
    name: Option<String>,
    /// The import that stands for it.
    row: Option<usize>,
}

impl ImportedPackage {
    fn named(name: String) -> Self {
        Self { id: Some(hash::of_package(&name)), name: Some(name), row: None }
    }

    fn id(&self) -> PackageId<'_> {
        PackageId { id: self.id, name: self.name.as_deref() }
    }

    /// The placeholder of an import without a known name.
    fn text(&self, row: usize) -> String {
        match (&self.name, self.id) {
            (Some(name), _) => name.clone(),
            (None, Some(id)) => placeholder::of(id),
            (None, None) => placeholder::of_package_row(row),
        }
    }

    /// The paths within it that an asset of its name usually has.
    fn usual(&self) -> impl Iterator<Item = String> {
        let base = self.name.as_deref().and_then(|name| name.rsplit('/').next());
        let all = |base: &str| [base.to_owned(), format!("{base}_C"), format!("Default__{base}_C")];
        base.into_iter().flat_map(all)
    }
}

/// A row of the table in words.
struct ImportWords {
    name: String,
    outer: PackageIndex,
    class: Option<String>,
}

impl Making<'_> {
    pub fn imports(&mut self, known: KnownNames<'_>) -> Result<()> {
        let header = self.header;
        let mut sources = self.sources(known)?;
        self.place(&mut sources)?;
        let by_row: HashMap<usize, usize> = sources
            .iter()
            .enumerate()
            .filter_map(|(package, source)| Some((source.row?, package)))
            .collect();
        for (row, reference) in header.imports.iter().enumerate() {
            if *reference != ZenReference::NULL {
                self.by_reference.insert(*reference, PackageIndex::import(row));
            }
        }
        let objects = Objects::new(header, self.form, &sources, known);
        let classes: HashSet<ZenReference> = header.exports.iter().map(|it| it.class).collect();
        let names_package = Import::names_package(&self.package.versions);
        for (row, reference) in header.imports.iter().enumerate() {
            let words = match reference.target() {
                ZenTarget::Null if *reference != ZenReference::NULL => {
                    let error = Error::invalid("it is neither an object nor a package");
                    return Err(error.at_index(row).in_field("imports"));
                }
                ZenTarget::Null => ImportWords {
                    name: match by_row.get(&row) {
                        Some(&package) => sources[package].text(package),
                        None => placeholder::of_package_row(row),
                    },
                    outer: PackageIndex::NULL,
                    class: Some(format!("{CORE}.Package")),
                },
                ZenTarget::Script(hash) => objects.script(hash, &self.by_reference),
                ZenTarget::Package { .. } => {
                    let words = objects.of_package(*reference, &self.by_reference);
                    words.map_err(|error| error.at_index(row).in_field("imports"))?
                }
                ZenTarget::Export(_) => {
                    let error = Error::invalid("it is an object of the package itself");
                    return Err(error.at_index(row).in_field("imports"));
                }
            };
            let usual = if classes.contains(reference) { "Class" } else { "Object" };
            let class = words.class.unwrap_or_else(|| format!("{CORE}.{usual}"));
            let (class_package, class_name) = class.rsplit_once('.').unwrap_or((CORE, usual));
            let object_name = self.name(&words.name)?;
            let import = Import {
                class_package: self.name(class_package)?,
                class_name: self.name(class_name)?,
                outer_index: words.outer,
                object_name,
                package_name: if names_package { object_name } else { Name::default() },
                ..Import::default()
            };
            self.package.tables.imports.push(import);
        }
        Ok(())
    }

    /// The packages that are imported from, in the order in which references count them.
    fn sources(&self, known: KnownNames<'_>) -> Result<Vec<ImportedPackage>> {
        let header = self.header;
        if !self.form.has_bundles() {
            let texts = header.imported_packages.texts.iter().zip(&header.imported_package_numbers);
            let full = |(text, number): (&String, &i32)| match *number {
                0 => text.clone(),
                number => format!("{text}_{}", i64::from(number) - 1),
            };
            return Ok(texts.map(full).map(ImportedPackage::named).collect());
        }
        if let Some(imported) = known.imported {
            let source =
                |&id: &u64| ImportedPackage { id: Some(id), name: known.package(id), row: None };
            return Ok(imported.iter().map(source).collect());
        }
        if self.form > ZenForm::Ue4_26 {
            return Ok(vec![ImportedPackage::default(); header.package_arcs.len()]);
        }
        // Their names are among those of the package, and what it waits for says which they are.
        let waits: HashSet<u64> = header.package_arcs.iter().map(|arcs| arcs.package).collect();
        let paths = header.names.texts.iter().filter(|text| text.starts_with('/'));
        let mut named: Vec<ImportedPackage> = paths.cloned().map(ImportedPackage::named).collect();
        named.retain(|source| source.id.is_some_and(|id| waits.contains(&id)));
        Ok(named)
    }

    /// Finds the imports that stand for packages.
    fn place(&self, sources: &mut [ImportedPackage]) -> Result<()> {
        let imports = self.header.imports.iter().enumerate();
        let rows = imports.filter(|(_, reference)| **reference == ZenReference::NULL);
        let rows: Vec<usize> = rows.map(|(row, _)| row).collect();
        let count = sources.len();
        if count != rows.len() {
            if !self.form.has_bundles() {
                let reason = format!("{count} imported packages, {} imports of them", rows.len());
                return Err(Error::invalid(reason).in_field("imports"));
            }
            // Which is which then is not known.
            if self.form == ZenForm::Ue4_26 {
                return Ok(());
            }
        }
        // They stand in the order of their names; in UE4 the container lists them so.
        let mut order: Vec<usize> = (0..count).collect();
        let is_listed = sources.iter().any(|source| source.name.is_none());
        if !is_listed {
            order.sort_by_cached_key(|&package| {
                sources[package].name.as_deref().unwrap_or_default().to_ascii_lowercase()
            });
        }
        for (package, row) in order.into_iter().zip(rows) {
            sources[package].row = Some(row);
        }
        Ok(())
    }
}

/// Who knows what the hashes of imported objects mean.
struct Objects<'a> {
    header: &'a ZenHeader,
    form: ZenForm,
    sources: &'a [ImportedPackage],
    known: KnownNames<'a>,
    /// Rows of the hashes that are public.
    hash_rows: HashMap<u64, u32>,
    /// Objects of each package that are called like it, by their public hash: from 5.0.
    usual: Vec<Vec<(u64, String)>>,
    /// Objects by the hash of their whole path: in UE4.
    by_path: HashMap<u64, ImportedObject>,
    /// Packages by their name in small letters.
    by_name: HashMap<String, usize>,
}

impl<'a> Objects<'a> {
    fn new(
        header: &'a ZenHeader,
        form: ZenForm,
        sources: &'a [ImportedPackage],
        known: KnownNames<'a>,
    ) -> Self {
        let hash_rows = header.imported_public_hashes.iter().copied().zip(0..).collect();
        let (mut by_path, mut by_name) = (HashMap::new(), HashMap::new());
        let mut all_usual = vec![Vec::new(); sources.len()];
        for (package, source) in sources.iter().enumerate() {
            let Some(name) = &source.name else { continue };
            by_name.insert(name.to_ascii_lowercase(), package);
            if form == ZenForm::Ue4_26 {
                let paths = source.usual().map(|path| format!("{name}.{path}"));
                let paths = paths.map(|path| ImportedObject { path, class: None });
                let all = paths.chain(known.exports(source.id()));
                by_path.extend(all.map(|it| (hash::of_script_object(&it.path), it)));
            } else {
                let usual = source.usual().map(|path| (hash::of_public_export(&path), path));
                all_usual[package] = usual.collect();
            }
        }
        Self { header, form, sources, known, hash_rows, usual: all_usual, by_path, by_name }
    }

    /// An object of compiled code, if its path is known.
    fn known_script(&self, hash: u64) -> Option<ImportedObject> {
        let found = self.known.script(hash)?;
        (hash::of_script_object(&found.path) == hash).then_some(found)
    }

    fn script(&self, hash: u64, rows: &HashMap<ZenReference, PackageIndex>) -> ImportWords {
        let named = self.known_script(hash).and_then(|ImportedObject { path, class }| {
            let Some((outer, name)) = path.rsplit_once(['.', ':']) else {
                return Some(ImportWords { name: path, outer: PackageIndex::NULL, class });
            };
            // What lies in something unknown has no path.
            let mut around = Some(outer);
            while let Some(path) = around {
                self.known_script(hash::of_script_object(path))?;
                around = path.rsplit_once(['.', ':']).map(|(outer, _)| outer);
            }
            let outer = ZenTarget::Script(hash::of_script_object(outer)).into();
            Some(ImportWords { name: name.to_owned(), outer: *rows.get(&outer)?, class })
        });
        let outer = PackageIndex::NULL;
        named.unwrap_or_else(|| ImportWords { name: placeholder::of(hash), outer, class: None })
    }

    /// The path of an object within its package, if it is known, and its class.
    fn known_export(&self, package: usize, public: u64) -> Option<(String, Option<String>)> {
        let source = self.sources.get(package)?;
        let found = || {
            let ImportedObject { path, class } = self.known.export(source.id(), public)?;
            let inner = path.get(source.name.as_ref()?.len() + 1..)?;
            (hash::of_public_export(inner) == public).then(|| (inner.to_owned(), class))
        };
        let usual = || self.usual.get(package)?.iter().find(|(hash, _)| *hash == public);
        found().or_else(|| usual().map(|(_, path)| (path.clone(), None)))
    }

    fn of_package(
        &self,
        reference: ZenReference,
        rows: &HashMap<ZenReference, PackageIndex>,
    ) -> Result<ImportWords> {
        if self.form == ZenForm::Ue4_26 {
            return Ok(self.of_path(reference, rows));
        }
        let ZenTarget::Package { package, hash } = reference.target() else {
            return Err(Error::invalid("it is no object of a package"));
        };
        let public = self.header.imported_public_hashes.get(hash as usize);
        let public = *public.ok_or_else(|| Error::invalid(format!("there is no hash {hash}")))?;
        let unknown = ImportedPackage::default();
        let source = match self.sources.get(package as usize) {
            Some(source) => source,
            // How many there are is known to the container.
            None if self.form.has_bundles() => &unknown,
            None => return Err(Error::invalid(format!("there is no package {package}"))),
        };
        let outermost = source.row.map_or(PackageIndex::NULL, PackageIndex::import);
        let known = self.known_export(package as usize, public);
        let named = known.and_then(|(path, class)| {
            let Some((outer, name)) = path.rsplit_once('.') else {
                return Some(ImportWords { name: path, outer: outermost, class });
            };
            let mut around = Some(outer);
            while let Some(path) = around {
                self.known_export(package as usize, hash::of_public_export(path))?;
                around = path.rsplit_once('.').map(|(outer, _)| outer);
            }
            let hash = *self.hash_rows.get(&hash::of_public_export(outer))?;
            let outer = ZenTarget::Package { package, hash }.into();
            Some(ImportWords { name: name.to_owned(), outer: *rows.get(&outer)?, class })
        });
        let name = placeholder::of(public);
        Ok(named.unwrap_or(ImportWords { name, outer: outermost, class: None }))
    }

    /// In UE4 the hash is that of the whole path.
    fn of_path(
        &self,
        reference: ZenReference,
        rows: &HashMap<ZenReference, PackageIndex>,
    ) -> ImportWords {
        let hash = reference.hash();
        let known = self.by_path.get(&hash).cloned();
        let named = known.and_then(|ImportedObject { path, class }| {
            let (outer, name) = path.rsplit_once('.')?;
            let source = self.by_name.get(&outer.to_ascii_lowercase());
            let outer = match source.and_then(|&package| self.sources[package].row) {
                Some(row) => PackageIndex::import(row),
                None => {
                    let hash = hash::of_script_object(outer);
                    self.by_path.get(&hash)?;
                    *rows.get(&ZenReference::of_path(hash))?
                }
            };
            Some(ImportWords { name: name.to_owned(), outer, class })
        });
        let outer = PackageIndex::NULL;
        named.unwrap_or_else(|| ImportWords { name: placeholder::of(hash), outer, class: None })
    }
}
