//! Objects of other packages that become the package's own.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Copied, CopyOptions, Dependencies, Edit, FreeNames};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::own_path::package_path;
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Objects that were embedded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Embedded {
    /// The paths of imports, with their package, and the paths of the package's own objects that took their places.
    pub objects: Vec<(String, String)>,
    /// The paths of all objects that are new, groups included.
    pub added: Vec<String>,
    /// The paths of objects that were there already, say the same, and are used instead of copies.
    pub reused: Vec<String>,
    /// The paths of objects whose bodies refer to the copies now.
    pub users: Vec<String>,
    /// The file version of the other package, where it was converted on the way.
    pub converted_from: Option<u32>,
}

/// An import that becomes an object of the package.
struct EmbeddedImport {
    index: PackageIndex,
    /// With its package.
    path: String,
    /// Within its package.
    inner: String,
    class: String,
}

impl EmbeddedImport {
    /// The group that it lies in.
    fn group(&self) -> Option<&str> {
        self.inner.rsplit_once('.').map(|(group, _)| group)
    }

    /// Imports of several classes may have one path.
    fn key(&self) -> String {
        of_class(&self.class, &self.inner).to_ascii_lowercase()
    }
}

/// The rows of the objects that took the places of others, by the classes and paths of these.
type EmbeddedRows = HashMap<String, usize>;

/// An object with its class: of several classes objects may have one path.
fn of_class(class: &str, path: &str) -> String {
    format!("{class}'{path}'")
}

impl Edit {
    /// Makes objects that are imported from another package the package's own: copies them, with all that lies in them and
    /// all that they need of the other package, lets every reference to the imports go to the copies, and drops the imports
    /// of that package that nothing uses any more. Imports are named by their paths, with the package; a package or
    /// group stands for all that is imported from within. What the copies need of further packages is imported from there.
    ///
    /// Copies come into groups that are called like those of the other package. Where another object has the name of a
    /// copy, the copy gets a free one; an object that was copied along before and says the same is used again. In UE4 and
    /// UE5 soft references follow.
    ///
    /// Of `options` the names of both packages count ([`CopyOptions::source_name`], [`CopyOptions::target_name`]).
    ///
    /// # Errors
    /// `NotFound` for what is not imported, and for an import that the other package lacks; as
    /// [`Edit::copy_objects_from`] and [`Edit::redirect`].
    pub fn embed(
        &mut self,
        other: &Package,
        imports: &[&str],
        options: &CopyOptions,
    ) -> Result<Embedded> {
        let wanted = self.embedded_imports(imports)?;
        let package = wanted.first().map_or("", |it| first_part(&it.path)).to_owned();
        let options = options.clone().dependencies(Dependencies::Copy);
        self.transact(|edit| {
            let mut done = Embedded::default();
            let mut by_group = BTreeMap::<Option<&str>, Vec<&EmbeddedImport>>::new();
            for import in &wanted {
                by_group.entry(import.group()).or_default().push(import);
            }
            let mut places = EmbeddedRows::new();
            for (group, imports) in by_group {
                edit.copy_group(other, group, &imports, &options, &mut places, &mut done)?;
            }
            edit.embed_references(&wanted, &places, &mut done)?;
            done.users.sort_unstable();
            done.users.dedup();
            edit.drop_unused_imports(&package)?;
            Ok(done)
        })
    }

    /// The imports that are meant, without those that lie in others of them.
    fn embedded_imports(&self, paths: &[&str]) -> Result<Vec<EmbeddedImport>> {
        let bare = |path: &str| path.replace(':', ".").to_ascii_lowercase();
        let mut by_path: HashMap<String, Vec<PackageIndex>> =
            paths.iter().map(|path| (bare(path), Vec::new())).collect();
        for row in 0..self.tables().imports.len() {
            let index = PackageIndex::import(row);
            // A group is a place. What else lies in what is wanted comes along with that.
            let outermost = self.outers(index).filter(|outer| !self.is_place(*outer)).last();
            let Some(outermost) = outermost else { continue };
            for outer in self.outers(index) {
                if let Some(known) = by_path.get_mut(&bare(&self.path(outer))) {
                    known.push(outermost);
                }
            }
        }
        let (mut found, mut given) = (Vec::new(), HashSet::new());
        for path in paths {
            let known = by_path.remove(&bare(path));
            // None where the path was given before.
            if known.as_ref().is_some_and(Vec::is_empty) {
                let (name, hint) = ((*path).to_owned(), String::new());
                return Err(ErrorKind::NotFound { what: noun::IMPORT, name, hint }.into());
            }
            for outermost in known.into_iter().flatten() {
                if given.insert(outermost) {
                    found.push(self.embedded_import(outermost)?);
                }
            }
        }
        let packages: HashSet<_> =
            found.iter().map(|it| first_part(&it.path).to_ascii_lowercase()).collect();
        match packages.len() {
            1 => Ok(found),
            0 => Err(Error::invalid("no import is named")),
            _ => Err(Error::invalid(
                "the imports are of several packages: embed one after the other",
            )),
        }
    }

    fn embedded_import(&self, index: PackageIndex) -> Result<EmbeddedImport> {
        let path = self.path(index);
        let ObjectRef::Import(row) = index.target() else {
            return Err(Error::invalid(format!("'{path}' is an object of the package itself")));
        };
        let class = self.name_text(self.tables().imports[row].class_name);
        match path.split_once('.') {
            Some((_, inner)) => {
                let inner = inner.to_owned();
                Ok(EmbeddedImport { index, inner, path, class })
            }
            None => Err(Error::invalid(format!("'{path}' is a package"))),
        }
    }

    /// Whether an import is a package or group.
    fn is_place(&self, index: PackageIndex) -> bool {
        let ObjectRef::Import(row) = index.target() else { return false };
        let import = self.tables().imports.get(row);
        import.is_some_and(|import| self.is_name(import.class_name, "Package"))
    }

    /// Copies those of a group that are not here yet, and notes where each is.
    fn copy_group(
        &mut self,
        other: &Package,
        group: Option<&str>,
        imports: &[&EmbeddedImport],
        options: &CopyOptions,
        places: &mut EmbeddedRows,
        done: &mut Embedded,
    ) -> Result<()> {
        let open: Vec<_> = imports.iter().filter(|it| !places.contains_key(&it.key())).collect();
        if open.is_empty() {
            return Ok(());
        }
        let mut options = options.clone();
        let mut outer = PackageIndex::NULL;
        if let Some(group) = group {
            let known = self.tables().exports.len();
            outer = self.add_group(group)?;
            options = options.into_group(group);
            let rows = known..self.tables().exports.len();
            done.added.extend(rows.map(|row| self.exports().path(row)));
        }
        let roots: Vec<String> = open.iter().map(|it| of_class(&it.class, &it.inner)).collect();
        // One object alone would be refused under the name of another one.
        if let [root] = open[..] {
            let name = root.inner.rsplit('.').next().unwrap_or_default();
            let free = FreeNames::default().pick(self, outer, name, &root.class);
            if free != name {
                options = options.named(free);
            }
        }
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        let first = self.tables().exports.len();
        let copied = self.copy_objects_from(other, &roots, &options)?;
        for (import, &row) in open.iter().zip(&copied.rows) {
            places.insert(import.key(), row);
        }
        self.note_copies(copied, first, places, done);
        Ok(())
    }

    /// Notes what came along, which others of the imports may be: copies from this row on, and what was there.
    fn note_copies(
        &self,
        copied: Copied,
        first: usize,
        places: &mut EmbeddedRows,
        done: &mut Embedded,
    ) {
        let names: HashMap<&str, &str> =
            copied.renamed.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect();
        let copies = first..self.tables().exports.len();
        for row in copies.chain(copied.reused_rows.iter().copied()) {
            let path = self.exports().path(row);
            let inner = names.get(path.as_str()).copied().unwrap_or(&path);
            let key = of_class(&self.class_name_of(row), inner).to_ascii_lowercase();
            places.entry(key).or_insert(row);
        }
        done.converted_from = done.converted_from.or(copied.converted_from);
        done.added.extend(copied.objects);
        done.reused.extend(copied.reused);
    }

    /// Lets all that refers to the imports refer to the objects that took their places: all at once, since each time
    /// the whole package is visited.
    fn embed_references(
        &mut self,
        wanted: &[EmbeddedImport],
        places: &EmbeddedRows,
        done: &mut Embedded,
    ) -> Result<()> {
        let mut pairs = Vec::with_capacity(wanted.len());
        for import in wanted {
            let Some(&row) = places.get(&import.key()) else {
                let (name, hint) = (import.path.clone(), String::new());
                return Err(ErrorKind::NotFound { what: noun::EXPORT, name, hint }.into());
            };
            pairs.push((import.index, PackageIndex::export(row)));
            done.objects.push((import.path.clone(), self.exports().path(row)));
        }
        done.users.extend(self.redirect_all(&pairs, false)?.objects);
        let Some(own) =
            package_path(&self.package).filter(|_| self.versions().has_soft_references())
        else {
            return Ok(());
        };
        for (path, place) in &done.objects {
            match self.retarget_soft(path, &format!("{own}.{place}")) {
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The package of a path.
fn first_part(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}
