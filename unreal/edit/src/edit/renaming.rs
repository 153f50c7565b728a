//! Renaming in packages of UE4 and UE5: what an object or package is called, wherever it stands.

mod calls;
mod declaration;
mod following;
mod inherited;
mod mentions;
mod outside;
mod plan;
mod replace;
mod soft_path;
mod texts;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap};

pub use self::mentions::uses_of_name;
pub use self::plan::Renamed;
pub(super) use self::plan::{Plan, Scope};
use self::replace::Replace;
use self::uses::{ChangedPath, Uses};
use super::Edit;
use crate::archive::{Archived, Span};
use crate::error::Result;
use crate::package::Section;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, Visit};
use crate::script::ScriptString;
use crate::table::Import;
use crate::version::UnrealVersions;

/// Where something may stand that changes: rows of exports, and bodies.
struct Places {
    exports: Vec<usize>,
    bodies: Vec<usize>,
}

/// Strings in the code of one object that are paths and change.
struct CodePaths {
    row: usize,
    /// With their new texts.
    strings: Vec<(ScriptString, String)>,
    old: Vec<String>,
}

impl Edit {
    /// Carries a plan out; `self` is a working copy.
    pub(super) fn carry_out(&mut self, plan: &Plan) -> Result<Renamed> {
        let mut renamed = Renamed::default();
        self.decode_all();
        let places = self.places_of(plan);
        let mut uses = self.uses_of(plan, &places);
        let code = self.code_paths(plan, &places.bodies, &mut uses.texts)?;
        let targets = uses.targets();
        // From here on names change.
        uses.forget_names();
        let old_paths: Vec<String> = plan.rows.iter().map(|(row, _)| self.path(*row)).collect();
        let mut names = self.rename_paths(plan, &uses, &mut renamed)?;
        self.rename_rows(plan, &uses, &targets)?;
        let soft = self.soft_replacements(&targets)?;
        // What is in place already keeps its number.
        names.retain(|old, new| old != new);
        if !names.is_empty() || !soft.is_empty() {
            self.replace(plan.scope, names, soft, &places);
        }
        renamed.soft_paths = targets.iter().map(|target| target.count).sum();
        for target in &targets {
            renamed.note("soft path", &target.old, &target.new);
        }
        for CodePaths { row, strings, old } in code {
            self.set_strings(row, &strings)?;
            renamed.soft_paths += strings.len() as u64;
            for ((_, new), old) in strings.iter().zip(old) {
                renamed.note("path in code", &old, new);
            }
        }
        for ((row, _), old) in plan.rows.iter().zip(old_paths) {
            renamed.objects.push((old, self.path(*row)));
        }
        for (section, text) in std::mem::take(&mut uses.texts) {
            let place = self.section_text(section);
            renamed.care.push(format!("{place} holds the text '{}', which stays", cut(&text)));
        }
        if plan.scope != Scope::Soft {
            self.rename_texts(&plan.map, &mut renamed);
        }
        self.sync_counts()?;
        Ok(renamed)
    }

    /// The uses of the old names in the package, before anything changes.
    fn uses_of<'a>(&mut self, plan: &'a Plan, places: &Places) -> Uses<'a> {
        let context = self.decoding_context();
        let mut uses = Uses::of(plan, context.clone(), self.hidden_bodies());
        let mut enter = |uses: &mut Uses<'_>, section| uses.section = section;
        // Looking changes nothing.
        self.package.visit_header(&mut uses, &context, Some(&places.exports), &mut enter);
        for &row in &places.bodies {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            uses.section = Section::Body(row as u32);
            self.show_body(&mut decoded.body.clone(), &context, &mut uses);
        }
        uses
    }

    /// Where something may stand that changes: the names of the plan's objects, names and texts that are paths.
    fn places_of(&mut self, plan: &Plan) -> Places {
        let mut names = vec![false; self.tables().names.len()];
        let mut rows = self.package.path_names();
        rows.iter().for_each(|&row| names[row] = true);
        let own = plan.rows.iter().filter_map(|(index, _)| self.stored_name(*index));
        for name in own.collect::<Vec<_>>() {
            let row = usize::try_from(name.index.value()).ok();
            if let Some((row, named)) = row.and_then(|row| Some((row, names.get_mut(row)?))) {
                *named = true;
                rows.push(row);
            }
        }
        let is_named = |name: Name| {
            let row = usize::try_from(name.index.value()).ok();
            row.and_then(|row| names.get(row)) == Some(&true)
        };
        let exports = self.tables().exports.iter().enumerate();
        let exports = exports
            .filter(|(_, export)| is_named(export.object_name) || export.details.allocated() > 0);
        let exports = exports.map(|(row, _)| row).collect();
        let uses = self.package.body_uses();
        let rows = rows.into_iter().filter_map(|row| i32::try_from(row).ok());
        let mut bodies = uses.users_of_names(rows);
        bodies.extend(uses.with_paths());
        bodies.sort_unstable();
        bodies.dedup();
        Places { exports, bodies }
    }

    /// Puts new names and soft paths in.
    fn replace(
        &mut self,
        scope: Scope,
        names: HashMap<Name, Name>,
        soft: HashMap<SoftObjectPath, SoftObjectPath>,
        places: &Places,
    ) {
        let context = self.decoding_context();
        let mut replace = Replace { scope, section: Section::Summary, names, soft, count: 0 };
        let mut enter = |replace: &mut Replace, section| replace.section = section;
        // Rows change here of which nothing says which.
        self.whole().parts_mut();
        self.whole().visit_header(&mut replace, &context, Some(&places.exports), &mut enter);
        let versions = self.versions().of_bodies();
        for &row in &places.bodies {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let mut changed = decoded.clone();
            replace.section = Section::Body(row as u32);
            let before = replace.count;
            let mut visit = Visit::new(&mut replace, versions.clone(), context.clone());
            let _ = changed.body.serialize(&mut visit);
            if replace.count != before {
                self.set_decoded(row, changed);
            }
        }
    }

    /// Strings of code that are paths and change; `texts` are those which may mean something else.
    fn code_paths(
        &self,
        plan: &Plan,
        rows: &[usize],
        texts: &mut BTreeSet<(Section, String)>,
    ) -> Result<Vec<CodePaths>> {
        let mut found = Vec::new();
        for &row in rows {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let Some(code) = decoded.body.native.code() else { continue };
            let mut paths = CodePaths { row, strings: Vec::new(), old: Vec::new() };
            for string in ScriptString::all(&code.items, self.versions()) {
                let old = string.text(&code.items, self.source(), self.versions().byte_order)?;
                let Some(new) = plan.map.text(&old) else { continue };
                if string.is_path {
                    paths.strings.push((string, new));
                    paths.old.push(old);
                } else {
                    texts.insert((Section::Body(row as u32), old));
                }
            }
            if !paths.strings.is_empty() {
                found.push(paths);
            }
        }
        Ok(found)
    }

    /// Bodies that are opaque.
    fn hidden_bodies(&self) -> Vec<(Section, Span)> {
        let rows = (0..self.export_count()).filter(|row| !self.bodies().decoded.contains_key(row));
        rows.map(|row| (Section::Body(row as u32), self.body_span(row))).collect()
    }

    pub(super) fn section_text(&self, section: Section) -> String {
        match section {
            Section::Body(row) => self.exports().path(row as usize),
            section => section.to_string(),
        }
    }

    /// Names that are paths and change. Where every use of a row changes, the row gets another text; of the
    /// others the old and new names are returned.
    fn rename_paths(
        &mut self,
        plan: &Plan,
        uses: &Uses<'_>,
        renamed: &mut Renamed,
    ) -> Result<HashMap<Name, Name>> {
        let rows = self.package.path_names().into_iter().map(|row| Name::new(row as i32));
        let mut found = BTreeMap::new();
        for name in rows.chain(uses.names.keys().copied()) {
            let text = self.name_text(name);
            if let Some(new) = plan.map.path(&text) {
                found.insert((name.index.value(), name.number), (name, text, new));
            }
        }
        let mut names = HashMap::new();
        for (name, old, new) in found.into_values() {
            let (all, changing) = uses.names.get(&name).copied().unwrap_or_default();
            // A row that nothing uses may be used where nobody can see it.
            if all == 0 && (name.number != 0 || plan.scope != Scope::All) {
                continue;
            }
            let all_change = match plan.scope {
                Scope::All => true,
                _ => all == changing && uses.may_be_hidden(name.index.value(), false).is_none(),
            };
            if all_change && self.rename_in_place(name, &new, uses) {
                renamed.note("name", &old, &new);
                continue;
            }
            if changing == 0 {
                renamed.care.push(format!(
                    "the name table keeps '{old}': bytes that are not decoded may use it with a number"
                ));
                continue;
            }
            if plan.scope == Scope::All
                && let Some(section) = uses.may_be_hidden(name.index.value(), false)
            {
                let place = self.section_text(section);
                renamed.care.push(format!(
                    "{place} is not decoded whole and may still say the name '{old}'"
                ));
            }
            names.insert(name, self.add_object_name(&new)?);
        }
        Ok(names)
    }

    /// Gives the row of a name another text, where no other name shares the row and no row has the text.
    fn rename_in_place(&mut self, name: Name, new: &str, uses: &Uses<'_>) -> bool {
        let row = name.index.value();
        let shared = uses
            .names
            .keys()
            .any(|other| other.index.value() == row && other.number != name.number);
        if name.number != 0
            || shared
            || Name::split(new).is_some()
            || uses.may_be_hidden(row, true).is_some()
        {
            return false;
        }
        let text = self.name_text(name);
        let first = self.look_up_name(&text);
        first == usize::try_from(row).ok() && self.change_name(&text, new).is_ok()
    }

    /// Objects get their new names.
    fn rename_rows(&mut self, plan: &Plan, uses: &Uses<'_>, targets: &[ChangedPath]) -> Result<()> {
        let mut groups: BTreeMap<(i32, i32), Vec<(PackageIndex, &str)>> = BTreeMap::new();
        for (index, new) in &plan.rows {
            if let Some(name) = self.stored_name(*index) {
                groups.entry((name.index.value(), name.number)).or_default().push((*index, new));
            }
        }
        for ((index, number), rows) in groups {
            let name = Name::numbered(index, number);
            let new = rows.first().map_or("", |row| row.1);
            let soft = targets.iter().filter(|target| {
                let asset = target.new.split(['.', ':']).nth(1);
                target.path.asset_name == name && asset.is_some_and(|asset| asset == new)
            });
            let soft: u64 = soft.map(|target| target.count).sum();
            let all = uses.names.get(&name).map_or(0, |counts| counts.0);
            let alike = rows.iter().all(|row| row.1 == new);
            if alike
                && all == soft + rows.len() as u64
                && uses.may_be_hidden(index, false).is_none()
                && self.rename_in_place(name, new, uses)
            {
                continue;
            }
            for (row, new) in rows {
                let name = self.add_object_name(new)?;
                self.store_name(row, name);
            }
        }
        Ok(())
    }

    fn stored_name(&self, index: PackageIndex) -> Option<Name> {
        use crate::primitive::ObjectRef;
        match index.target() {
            ObjectRef::Import(row) => self.tables().imports.get(row).map(|row| row.object_name),
            ObjectRef::Export(row) => self.tables().exports.get(row).map(|row| row.object_name),
            ObjectRef::Null => None,
        }
    }

    fn store_name(&mut self, index: PackageIndex, name: Name) {
        use crate::primitive::ObjectRef;
        let names_package = Import::names_package(self.versions());
        match index.target() {
            ObjectRef::Import(row) => self.change_import(row, |import| {
                // Cooked rows repeat the object's name (spec: ue4-5/03 §4).
                if names_package && import.package_name == import.object_name {
                    import.package_name = name;
                }
                import.object_name = name;
            }),
            ObjectRef::Export(row) => self.change_export(row, |export| export.object_name = name),
            ObjectRef::Null => {}
        }
    }
}

/// The first characters of a text, for messages.
pub(super) fn cut(text: &str) -> String {
    const LONGEST: usize = 120;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
