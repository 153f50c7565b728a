//! References that go to what is in the package already: an object of it, or what it imports.

use std::collections::HashMap;

use crate::archive::{Archived, Remap};
use crate::edit::Edit;
use crate::edit::default_object::default_name;
use crate::edit::membership::is_bound_to_level;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::meaning::ReferenceTexts;
use crate::object::maker_for;
use crate::primitive::{NameContext, NameRemap, ObjectRef, PackageIndex};
use crate::property::{EngineClasses, Value};
use crate::table::{DependsRow, Export};
use crate::version::{EngineFacts, UnrealVersions, threshold};

/// References that were redirected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Redirected {
    /// What was referred to and what is now, imports from within it and the defaults of classes included.
    pub references: Vec<(String, String)>,
    /// The paths of the objects whose bodies refer to something else now.
    pub objects: Vec<String>,
    /// The paths of the objects that are of another class now.
    pub instances: Vec<String>,
    /// Stored properties that the other class does not declare, as `Light1.Glow`.
    pub dropped: Vec<String>,
}

/// The old references with the new ones.
type NewReferences = HashMap<PackageIndex, PackageIndex>;

/// Rows of imports by what they lie in.
type InnerImports = HashMap<PackageIndex, Vec<usize>>;

/// The references in an order that is the same each time.
fn ordered(references: &NewReferences) -> Vec<(PackageIndex, PackageIndex)> {
    let mut all: Vec<_> = references.iter().map(|(&old, &new)| (old, new)).collect();
    all.sort_unstable_by_key(|(old, _)| old.value());
    all
}

impl Edit {
    /// Lets every reference to an object go to another one that is here already: an import or an export, both as paths
    /// (those of imports with their package). What is imported from within the old one is imported from within the new
    /// one, so that a whole package can take the place of another. Objects of a class become objects of the other; in
    /// UE3 and later what refers to its defaults, archetypes and templates included, refers to those of the new
    /// one. The old object or import stays; nothing refers to it.
    ///
    /// Stored properties that the new class does not declare are refused, or dropped with `drop`. Where nothing
    /// says what it declares they stay, and a note says so.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object that lies in the other; `Doubtful` for objects of different classes; `Refused`
    /// for objects of the old class that are not decoded whole, whose data the new class has otherwise, or that store what
    /// it does not declare, and for actors that stand in a chain of their level; `Unsupported` below file version 50,
    /// whose imports lie in packages alone.
    pub fn redirect(&mut self, old: &str, new: &str, drop: bool) -> Result<Redirected> {
        self.needs_import_paths()?;
        let [from, to] = [self.present(old, true)?, self.present(new, false)?];
        self.redirect_all(&[(from, to)], drop)
    }

    /// As [`Edit::redirect`] for several at once, each with what takes its place, which is none of them.
    pub(in crate::edit) fn redirect_all(
        &mut self,
        pairs: &[(PackageIndex, PackageIndex)],
        drop: bool,
    ) -> Result<Redirected> {
        self.needs_import_paths()?;
        for &(from, to) in pairs {
            self.check_redirection(from, to)?;
        }
        self.transact(|edit| {
            edit.settle_replaced()?;
            edit.decode_all();
            let mut references = NewReferences::new();
            let mut inner = edit.imports_by_outer();
            for &(from, to) in pairs {
                edit.join(from, to, &mut inner, &mut references)?;
            }
            edit.join_defaults(&mut inner, &mut references)?;
            edit.carry_redirection(&references, drop)
        })
    }

    fn needs_import_paths(&self) -> Result<()> {
        if self.versions().file() < threshold::OUTER_INDEX_ADDED {
            let reason = "packages of this version have no paths of imports";
            return Err(Error::unsupported(reason));
        }
        Ok(())
    }

    fn check_redirection(&mut self, from: PackageIndex, to: PackageIndex) -> Result<()> {
        let [old, new] = [from, to].map(|index| self.path(index));
        if from == to {
            return Err(Error::invalid(format!("'{old}' is '{new}' already")));
        }
        if self.outers(to).any(|outer| outer == from) {
            return Err(Error::invalid(format!("'{new}' lies in '{old}', which it is to replace")));
        }
        let classes = [from, to].map(|index| self.class_name_at(index));
        if !classes[0].eq_ignore_ascii_case(&classes[1]) {
            let [before, after] = &classes;
            self.doubt(|| format!("'{old}' is a {before}, and '{new}' a {after}"))?;
        }
        Ok(())
    }

    /// The rows of imports by what they lie in.
    fn imports_by_outer(&self) -> InnerImports {
        let mut inner = InnerImports::new();
        for (row, import) in self.tables().imports.iter().enumerate() {
            inner.entry(import.outer_index).or_default().push(row);
        }
        inner
    }

    /// Whether both are here and are not one, so that [`Edit::redirect`] can be asked.
    pub fn can_redirect(&self, old: &str, new: &str) -> bool {
        match [self.present(old, true), self.present(new, false)] {
            [Ok(from), Ok(to)] => from != to,
            _ => false,
        }
    }

    /// The import or export with this path; of both the one that is looked at first.
    fn present(&self, path: &str, imports_first: bool) -> Result<PackageIndex> {
        let bare = path.replace(':', ".");
        let mut imports = (0..self.tables().imports.len()).map(PackageIndex::import);
        let import = imports.find(|&index| self.has_path(index, &bare));
        let export = self.find_export(path).ok().map(PackageIndex::export);
        let found = if imports_first { import.or(export) } else { export.or(import) };
        found.ok_or_else(|| {
            let (name, hint) = (path.to_owned(), String::new());
            ErrorKind::NotFound { what: noun::OBJECT, name, hint }.into()
        })
    }

    fn class_name_at(&self, index: PackageIndex) -> String {
        match index.target() {
            ObjectRef::Import(row) => {
                let import = self.tables().imports.get(row);
                import.map(|import| self.name_text(import.class_name)).unwrap_or_default()
            }
            ObjectRef::Export(row) if self.tables().exports[row].class_index.is_null() => {
                "Class".to_owned()
            }
            ObjectRef::Export(row) => self.class_name_of(row),
            ObjectRef::Null => String::new(),
        }
    }

    fn is_class_at(&self, index: PackageIndex) -> bool {
        self.class_name_at(index).ends_with("Class")
    }

    /// What is imported from within the old one goes where the new one has the same, or comes to lie in that.
    fn join(
        &mut self,
        old: PackageIndex,
        new: PackageIndex,
        inner: &mut InnerImports,
        references: &mut NewReferences,
    ) -> Result<()> {
        if references.insert(old, new).is_some() {
            return Ok(());
        }
        for row in inner.get(&old).cloned().unwrap_or_default() {
            let index = PackageIndex::import(row);
            if self.tables().imports[row].outer_index != old || index == new {
                continue;
            }
            match self.twin_in(new, index) {
                Some(twin) => self.join(index, twin, inner, references)?,
                None if matches!(new.target(), ObjectRef::Import(_)) => {
                    self.change_import(row, |import| import.outer_index = new);
                    inner.entry(new).or_default().push(row);
                }
                None => {
                    let reason = "it is imported from what an object of this package takes the place of, and lacks";
                    return Err(Error::refused(reason, vec![self.path(index)]));
                }
            }
        }
        Ok(())
    }

    fn inner_called(&self, outer: PackageIndex, name: &str) -> Option<PackageIndex> {
        self.all_inner_called(outer, name).into_iter().next()
    }

    fn all_inner_called(&self, outer: PackageIndex, name: &str) -> Vec<PackageIndex> {
        let objects = self.object_index();
        let named = objects.named(name).iter().copied();
        let is_meant = |index: &PackageIndex| {
            self.outer(*index) == outer && self.object_name(*index).eq_ignore_ascii_case(name)
        };
        named.filter(is_meant).collect()
    }

    /// The object in `outer` that has the name of another one; of several the one of its class.
    fn twin_in(&self, outer: PackageIndex, of: PackageIndex) -> Option<PackageIndex> {
        let named = self.all_inner_called(outer, &self.object_name(of));
        if let [] | [_] = named[..] {
            return named.first().copied();
        }
        let class = self.class_name_at(of);
        let is_same = |index: &&PackageIndex| self.class_name_at(**index) == class;
        named.iter().find(is_same).or(named.first()).copied()
    }

    /// The objects with the defaults of classes, from UE3 on: `Default__Lamp` beside `Lamp`.
    fn join_defaults(
        &mut self,
        inner: &mut InnerImports,
        references: &mut NewReferences,
    ) -> Result<()> {
        if !self.versions().has_default_objects() {
            return Ok(());
        }
        for (old, new) in ordered(references) {
            if !self.is_class_at(old) || !self.is_class_at(new) {
                continue;
            }
            let [before, after] = [old, new].map(|index| default_name(&self.object_name(index)));
            let Some(default) = self.inner_called(self.outer(old), &before) else { continue };
            let twin = match self.inner_called(self.outer(new), &after) {
                Some(twin) => twin,
                None => self.import_default(new, &after)?,
            };
            self.join(default, twin, inner, references)?;
        }
        Ok(())
    }

    /// Imports the defaults of a class that is imported.
    fn import_default(&mut self, class: PackageIndex, name: &str) -> Result<PackageIndex> {
        let path = self.path(class);
        let (Some((package, class_name)), ObjectRef::Import(_)) =
            (path.rsplit_once('.'), class.target())
        else {
            let reason = "the class has no object with its defaults here";
            return Err(Error::refused(reason, vec![path]));
        };
        let parts: Vec<&str> = package.split('.').chain([name]).collect();
        // The class of a default object is the class itself.
        let steps = self.path_steps(&parts, (parts[0], class_name));
        self.import_chain(&steps)
    }

    fn carry_redirection(&mut self, references: &NewReferences, drop: bool) -> Result<Redirected> {
        let paths = |edit: &Self, rows: &[usize]| -> Vec<String> {
            rows.iter().map(|&row| edit.exports().path(row)).collect()
        };
        let mut done = Redirected::default();
        for (old, new) in ordered(references) {
            done.references.push((self.path(old), self.path(new)));
        }
        let skipped = self.lists_of(references)?;
        let instances: Vec<usize> = (0..self.tables().exports.len())
            .filter(|&row| references.contains_key(&self.tables().exports[row].class_index))
            .collect();
        self.decode_rows(instances.iter().copied())?;
        let before: Vec<Option<String>> =
            instances.iter().map(|&row| self.data_class(row)).collect();
        self.redirect_rows(references);
        let users = self.package.body_uses().users(references.keys().copied());
        let by_object =
            |old: i32| Some(references.get(&PackageIndex::new(old)).map_or(old, |new| new.value()));
        let mut remap = Remap::names_and_objects(self.versions().of_bodies(), &Some, &by_object);
        for row in users {
            if skipped.contains(&row) {
                continue;
            }
            let referred = self.references_of(row).unwrap_or_default();
            let Some(decoded) = self.decoded_mut(row) else { continue };
            decoded.body.serialize(&mut remap)?;
            done.objects.push(self.exports().path(row));
            self.settle_preload_since(row, &referred)?;
        }
        for (&row, before) in instances.iter().zip(before) {
            if self.data_class(row) != before {
                let reason = "objects of the other class have other data than properties";
                return Err(Error::refused(reason, paths(self, &instances)));
            }
            let class = self.class_name_of(row);
            if let Some(decoded) = self.decoded_mut(row) {
                let mut shape = decoded.body.shape().clone();
                if before.is_none() {
                    shape.class = class.into();
                }
                decoded.body.set_shape(shape);
            }
        }
        self.drop_undeclared(&instances, drop, &mut done)?;
        done.instances = paths(self, &instances);
        let is_opaque =
            |row: &usize| self.bodies().decoded.get(row).is_some_and(|decoded| decoded.opaque > 0);
        let opaque = (0..self.tables().exports.len()).filter(is_opaque).count();
        if opaque > 0 {
            self.note(format!("{opaque} bodies are not decoded whole and may refer to it still"));
        }
        self.sync_counts()?;
        Ok(done)
    }

    /// The class whose own data a body has behind its properties.
    fn data_class(&self, row: usize) -> Option<String> {
        let versions = self.versions();
        self.class_line(row).into_iter().find(|class| maker_for(class, versions).is_some())
    }

    /// Bodies that list an object of this package because it is theirs: those stay.
    fn lists_of(&mut self, references: &NewReferences) -> Result<Vec<usize>> {
        let mut rows = Vec::new();
        let exports: Vec<PackageIndex> = references
            .keys()
            .copied()
            .filter(|index| matches!(index.target(), ObjectRef::Export(_)))
            .collect();
        if exports.is_empty() {
            return Ok(rows);
        }
        rows.extend(self.levels());
        for &index in &exports {
            if let ObjectRef::Export(row) = index.target() {
                rows.extend(self.with_inner(&[row]));
            }
            if let ObjectRef::Export(outer) = self.outer(index).target() {
                rows.push(outer);
            }
        }
        let context = self.decoding_context();
        for row in self.package.body_uses().users(exports.iter().copied()) {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            for property in decoded.body.lists().flat_map(|list| &list.properties) {
                let text = |name| context.name_text(&name).unwrap_or_default();
                let name = property.name_text(text);
                if let Value::Object(index) = property.value()
                    && exports.contains(index)
                    && is_bound_to_level(&name)
                {
                    let reason = "it stands in a chain of its level, which nothing else can take its place in";
                    return Err(Error::refused(reason, vec![self.path(*index)]));
                }
            }
        }
        Ok(rows)
    }

    /// The rows of exports and imports, and what must be there first.
    fn redirect_rows(&mut self, references: &NewReferences) {
        let new = |index: PackageIndex| references.get(&index).copied().unwrap_or(index);
        for row in 0..self.tables().exports.len() {
            let own = PackageIndex::export(row);
            if references.contains_key(&own) {
                continue;
            }
            let export = &self.tables().exports[row];
            let mut after = export.clone();
            if matches!(after.outer_index.target(), ObjectRef::Import(_)) {
                after.outer_index = new(after.outer_index);
            }
            for index in [
                &mut after.class_index,
                &mut after.super_index,
                &mut after.archetype_index,
                &mut after.template_index,
            ] {
                *index = new(*index);
            }
            let indices = |it: &Export| {
                [
                    it.outer_index,
                    it.class_index,
                    it.super_index,
                    it.archetype_index,
                    it.template_index,
                ]
            };
            if indices(export) != indices(&after) {
                self.change_export(row, |export| *export = after);
                self.settle_component(row);
            }
            if let Some(depends) = self.tables().depends.get(row)
                && depends.objects.iter().any(|index| references.contains_key(index))
            {
                let objects = depends.objects.iter().map(|&index| new(index)).collect();
                self.set_depends(row, DependsRow { objects });
            }
        }
        // Imports say their class by names.
        for (old, new) in ordered(references) {
            let [before, after] = [old, new].map(|index| self.path(index));
            if !self.is_class_at(old) {
                continue;
            }
            let parts = |path: &str| {
                let package = path.split('.').next().unwrap_or_default().to_owned();
                let name = path.rsplit('.').next().unwrap_or_default().to_owned();
                [package, name]
            };
            let ([package, class], [new_package, new_class]) = (parts(&before), parts(&after));
            for row in 0..self.tables().imports.len() {
                let import = self.tables().imports[row];
                let is_of = self.is_name(import.class_package, &package)
                    && self.is_name(import.class_name, &class);
                if !is_of || references.contains_key(&PackageIndex::import(row)) {
                    continue;
                }
                let names = (self.add_object_name(&new_package), self.add_object_name(&new_class));
                if let (Ok(package), Ok(class)) = names {
                    self.change_import(row, |import| {
                        (import.class_package, import.class_name) = (package, class);
                    });
                }
            }
        }
    }

    /// Takes out what objects store that their new class does not declare.
    fn drop_undeclared(
        &mut self,
        instances: &[usize],
        drop: bool,
        done: &mut Redirected,
    ) -> Result<()> {
        let context = self.decoding_context();
        let mut unknown = 0;
        for &row in instances {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let names: Vec<String> = decoded
                .body
                .lists()
                .flat_map(|list| &list.properties)
                .map(|property| property.name_text(|name| self.name_text(name)).into_owned())
                .collect();
            let line = self.class_line(row);
            let engine = EngineClasses::of(self.versions());
            for name in names {
                let known = engine.is_some_and(|engine| {
                    engine.property(line.iter().map(String::as_str), false, &name).is_some()
                });
                match self.declared_property(row, &name, &context) {
                    _ if known => {}
                    Ok(Some(_)) => {}
                    Ok(None) => unknown += 1,
                    Err(_) => {
                        let item = format!("{}.{name}", self.exports().path(row));
                        if !done.dropped.contains(&item) {
                            done.dropped.push(item);
                        }
                    }
                }
            }
        }
        if !done.dropped.is_empty() && !drop {
            let reason = "the other class does not declare these properties: drop them (--drop), or remove them first";
            return Err(Error::refused(reason, done.dropped.clone()));
        }
        for item in done.dropped.clone() {
            if let Some((object, name)) = item.rsplit_once('.') {
                while self.remove_property(object, name).is_ok() {}
            }
        }
        if unknown > 0 {
            self.note(format!(
                "nothing says whether the new class declares {unknown} stored properties, which stay: name the \
                 game's folder with --env"
            ));
        }
        Ok(())
    }
}
