//! Renaming in packages of UE4 and UE5: what an object or package is called, wherever it stands.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::path_map::PathMap;
use crate::archive::{Context, Kind, Span, Step, Visitor};
use crate::error::Result;
use crate::package::edit::numbered;
use crate::package::{FieldDifference, Package, Section};
use crate::primitive::{FString, Name, PackageIndex, SoftObjectPath, Utf8String};
use crate::version::threshold::{ue4, ue5};

/// Tokens of code before the path of an asset: the constant, then its string, 8-bit or wide.
const SOFT_CONSTANTS: [[u8; 2]; 2] = [[0x67, 0x1f], [0x67, 0x34]];

/// What a change of names has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Renamed {
    /// Objects with another path: the old one, the new one. Imports with their packages.
    pub objects: Vec<(String, String)>,
    /// What else says another text now: fields of the header, tags, soft paths.
    pub changes: Vec<FieldDifference>,
    /// Places in bodies and tables that refer by path and follow.
    pub soft_paths: u64,
    /// What still says the old name and is for the caller to judge.
    pub care: Vec<String>,
}

/// Which uses of a path change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All: the path is the package's own.
    All,
    /// Those of imports and soft references.
    References,
    /// Those of soft references.
    Soft,
}

/// What is to be renamed.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub map: PathMap,
    pub scope: Scope,
    /// Objects with their new names.
    pub rows: Vec<(PackageIndex, String)>,
}

impl Renamed {
    pub(super) fn note(&mut self, field: impl Into<String>, old: &str, new: &str) {
        let (field, old, new) = (field.into(), Some(old.to_owned()), Some(new.to_owned()));
        self.changes.push(FieldDifference { field, old, new });
    }
}

/// Whether a use of a name, in a section and on a way, is one that changes.
fn is_in(scope: Scope, section: Section, way: &[Step]) -> bool {
    let soft = matches!(
        section,
        Section::SoftPackageReferences | Section::AssetDependencies | Section::SoftObjectPaths
    );
    let import = section == Section::Imports
        && matches!(
            way.last(),
            Some(Step::Field("object_name" | "package_name" | "class_package"))
        );
    match scope {
        Scope::All => true,
        Scope::References => soft || import,
        Scope::Soft => soft,
    }
}

/// What a package uses, before anything changes.
struct Uses<'a> {
    plan: &'a Plan,
    context: &'a Context,
    section: Section,
    /// Names: all uses, and those that the plan's scope changes.
    names: HashMap<Name, (u64, u64)>,
    /// Soft paths in the order in which they are met, how often each is, and where each stands here.
    soft: Vec<(SoftObjectPath, u64)>,
    soft_rows: HashMap<SoftObjectPath, usize>,
    /// Names of the soft path that comes next.
    within: u8,
    opaque: Vec<(Section, Span)>,
    texts: BTreeSet<(Section, String)>,
    tokens: [u8; 2],
}

impl Visitor for Uses<'_> {
    fn name(&mut self, name: &mut Name, way: &[Step]) {
        let soft = self.within > 0;
        self.within = self.within.saturating_sub(1);
        let counts = self.names.entry(*name).or_default();
        counts.0 += 1;
        counts.1 += u64::from(soft || is_in(self.plan.scope, self.section, way));
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, _: &[Step]) {
        self.within = match self.plan.map.path(&path.text(self.context)) {
            None => 0,
            // Below UE4 514 a path is a string.
            Some(_) if !path.path.is_empty() => 0,
            Some(_) if self.context_has_two_names(path) => 2,
            Some(_) => 1,
        };
        if let Some((_, count)) = self.soft_rows.get(path).and_then(|&at| self.soft.get_mut(at)) {
            *count += 1;
            return;
        }
        self.soft_rows.insert(path.clone(), self.soft.len());
        self.soft.push((path.clone(), 1));
    }

    fn span(&mut self, span: &mut Span, kind: Kind, way: &[Step]) {
        if kind == Kind::Opaque {
            self.opaque.push((self.section, span.clone()));
        }
        let Section::Body(_) = self.section else { return };
        // Paths below UE4 514 are strings, and change.
        let is_path = way.iter().rev().take(2).any(|step| *step == Step::Field("path"));
        if kind == Kind::Text
            && !is_path
            && let Ok(bytes) = span.bytes(self.context.source())
            && let text = text_of(bytes)
            && let Some(new) = self.plan.map.text(&text)
            && !(SOFT_CONSTANTS.contains(&self.tokens) && new.len() == text.len())
        {
            self.texts.insert((self.section, text));
        }
    }

    fn byte(&mut self, value: u8) {
        self.tokens = [self.tokens[1], value];
    }
}

/// Characters of one or two bytes.
fn text_of(bytes: &[u8]) -> String {
    match bytes {
        [b'/', 0, ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(bytes).0.into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

impl<'a> Uses<'a> {
    fn of(plan: &'a Plan, context: &'a Context, opaque: Vec<(Section, Span)>) -> Self {
        Self {
            plan,
            context,
            section: Section::Summary,
            names: HashMap::new(),
            soft: Vec::new(),
            soft_rows: HashMap::new(),
            within: 0,
            opaque,
            texts: BTreeSet::new(),
            tokens: [0; 2],
        }
    }

    fn context_has_two_names(&self, path: &SoftObjectPath) -> bool {
        path.package_name != Name::default() || path.asset_name != Name::default()
    }

    /// Whether bytes that nobody decodes look like this name; with `other`, like one with a number.
    fn may_be_hidden(&self, row: i32, other: bool) -> Option<Section> {
        let row = row.to_le_bytes();
        let source = self.context.source();
        let hidden = |span: &Span| {
            let bytes = span.bytes(source).unwrap_or_default();
            bytes.windows(8).any(|window| {
                let (first, number) = window.split_at(4);
                first == row
                    && match i32::from_le_bytes(number.try_into().unwrap_or_default()) {
                        0 => !other,
                        number => other && (1..100_000).contains(&number),
                    }
            })
        };
        self.opaque.iter().find(|(_, span)| hidden(span)).map(|(section, _)| *section)
    }
}

/// Puts the new names and paths in.
struct Replace<'a> {
    scope: Scope,
    section: Section,
    names: HashMap<Name, Name>,
    soft: HashMap<SoftObjectPath, SoftObjectPath>,
    map: &'a PathMap,
    context: &'a Context,
    tokens: [u8; 2],
    count: u64,
    bodies: BTreeSet<usize>,
}

impl Replace<'_> {
    fn changed(&mut self) {
        self.count += 1;
        if let Section::Body(row) = self.section {
            self.bodies.insert(row as usize);
        }
    }
}

impl Visitor for Replace<'_> {
    fn name(&mut self, name: &mut Name, way: &[Step]) {
        if let Some(new) = self.names.get(name)
            && is_in(self.scope, self.section, way)
        {
            *name = *new;
            self.changed();
        }
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, _: &[Step]) {
        if let Some(new) = self.soft.get(path) {
            *path = new.clone();
            self.changed();
        }
    }

    fn span(&mut self, span: &mut Span, kind: Kind, _: &[Step]) {
        // Code has places in it that count its bytes: only texts of the same length can change.
        if kind == Kind::Text
            && SOFT_CONSTANTS.contains(&self.tokens)
            && let Ok(bytes) = span.bytes(self.context.source())
            && let text = text_of(bytes)
            && let Some(new) = self.map.text(&text)
            && new.len() == text.len()
            && new.is_ascii()
        {
            let wide = bytes.len() == 2 * text.len();
            let bytes: Vec<u8> = match wide {
                true => new.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                false => new.into_bytes(),
            };
            *span = Span::owned(bytes);
            self.changed();
        }
    }

    fn byte(&mut self, value: u8) {
        self.tokens = [self.tokens[1], value];
    }
}

impl Package {
    /// Carries a plan out; `self` is a working copy.
    pub(super) fn carry_out(&mut self, plan: &Plan) -> Result<Renamed> {
        let mut renamed = Renamed::default();
        let context = self.context();
        let decoded: BTreeSet<usize> = self.decoded.keys().copied().collect();
        self.decode_all();
        let mut uses = Uses::of(plan, &context, self.hidden_bodies());
        self.visit_sections(&mut uses, &context, |uses, section| {
            (uses.section, uses.tokens) = (section, [0; 2]);
        });
        let targets: Vec<(SoftObjectPath, String, u64)> = uses
            .soft
            .iter()
            .filter_map(|(path, count)| {
                Some((path.clone(), plan.map.path(&path.text(&context))?, *count))
            })
            .collect();
        let old_paths: Vec<String> = plan.rows.iter().map(|(row, _)| self.path(*row)).collect();
        let mut names = self.rename_paths(plan, &uses, &context, &mut renamed)?;
        self.rename_rows(plan, &uses, &targets)?;
        let soft = self.soft_replacements(&targets)?;
        // What is in place already keeps its number.
        names.retain(|old, new| old != new);
        let mut replace = Replace {
            scope: plan.scope,
            section: Section::Summary,
            names,
            soft,
            map: &plan.map,
            context: &context,
            tokens: [0; 2],
            count: 0,
            bodies: BTreeSet::new(),
        };
        self.visit_sections(&mut replace, &context, |replace, section| {
            (replace.section, replace.tokens) = (section, [0; 2]);
        });
        let bodies = replace.bodies;
        self.decoded.retain(|row, _| decoded.contains(row) || bodies.contains(row));
        renamed.soft_paths = targets.iter().map(|(.., count)| count).sum();
        for (path, target, _) in &targets {
            renamed.note("soft path", &path.text(&context), target);
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

    /// Bodies that nobody has decoded.
    fn hidden_bodies(&self) -> Vec<(Section, Span)> {
        let rows = (0..self.export_count()).filter(|row| !self.decoded.contains_key(row));
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
        context: &Arc<Context>,
        renamed: &mut Renamed,
    ) -> Result<HashMap<Name, Name>> {
        let rows = (0..self.names.len()).map(|row| Name::new(row as i32));
        let mut found = BTreeMap::new();
        for name in rows.chain(uses.names.keys().copied()) {
            let text = context.name_text(&name).unwrap_or_default();
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
            || numbered(new).is_some()
            || uses.may_be_hidden(row, true).is_some()
        {
            return false;
        }
        let text = self.name_text(name);
        let first = self.names().find(&text);
        first == usize::try_from(row).ok() && self.rename_name(&text, new).is_ok()
    }

    /// Objects get their new names.
    fn rename_rows(
        &mut self,
        plan: &Plan,
        uses: &Uses<'_>,
        targets: &[(SoftObjectPath, String, u64)],
    ) -> Result<()> {
        let mut groups: BTreeMap<(i32, i32), Vec<(PackageIndex, &str)>> = BTreeMap::new();
        for (index, new) in &plan.rows {
            if let Some(name) = self.stored_name(*index) {
                groups.entry((name.index.value(), name.number)).or_default().push((*index, new));
            }
        }
        for ((index, number), rows) in groups {
            let name = Name::numbered(index, number);
            let new = rows.first().map_or("", |row| row.1);
            let soft = targets.iter().filter(|(path, target, _)| {
                let asset = target.split(['.', ':']).nth(1);
                path.asset_name == name && asset.is_some_and(|asset| asset == new)
            });
            let soft: u64 = soft.map(|(.., count)| count).sum();
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
            ObjectRef::Import(row) => self.imports.get(row).map(|row| row.object_name),
            ObjectRef::Export(row) => self.export_row(row).map(|row| row.object_name),
            ObjectRef::Null => None,
        }
    }

    fn store_name(&mut self, index: PackageIndex, name: Name) {
        use crate::primitive::ObjectRef;
        match index.target() {
            ObjectRef::Import(row) => {
                if let Some(import) = self.imports.get_mut(row) {
                    import.object_name = name;
                }
            }
            ObjectRef::Export(row) => {
                if let Some(export) = self.modern_mut().exports.get_mut(row) {
                    export.object_name = name;
                }
            }
            ObjectRef::Null => {}
        }
    }

    /// Soft paths that do not say their target yet, with those that do.
    fn soft_replacements(
        &mut self,
        targets: &[(SoftObjectPath, String, u64)],
    ) -> Result<HashMap<SoftObjectPath, SoftObjectPath>> {
        let mut found = HashMap::new();
        // Names that are added below are those of new paths alone.
        let context = self.context();
        for (old, target, _) in targets {
            if old.text(&context) != *target {
                found.insert(old.clone(), self.soft_path_of(old, target)?);
            }
        }
        Ok(found)
    }

    /// The soft path of this text, in the form of the package's versions; what `old` has and the text has not
    /// changed is kept.
    pub(super) fn soft_path_of(
        &mut self,
        old: &SoftObjectPath,
        text: &str,
    ) -> Result<SoftObjectPath> {
        let string = |package: &Self, text: &str| {
            FString::new_in(text, package.versions.byte_order, package.versions.game)
        };
        let mut path = old.clone();
        if self.versions.ue4 < ue4::ADDED_SOFT_OBJECT_PATH {
            path.path = string(self, text);
            return Ok(path);
        }
        let (top, sub) = text.split_once(':').unwrap_or((text, ""));
        if self.versions.ue5 < ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            path.asset_path_name = self.add_object_name(top)?;
        } else {
            let (package, asset) = top.split_once('.').unwrap_or((top, ""));
            path.package_name = self.add_object_name(package)?;
            path.asset_name =
                self.add_object_name(if asset.is_empty() { "None" } else { asset })?;
        }
        let utf8 = !old.sub_path_utf8.is_empty();
        let was = match utf8 {
            true => old.sub_path_utf8.text(&self.source),
            false => old.sub_path.text(&self.source),
        };
        if was.unwrap_or_default() != sub {
            match utf8 {
                true => path.sub_path_utf8 = Utf8String::new(sub),
                false => path.sub_path = string(self, sub),
            }
        }
        Ok(path)
    }
}

/// Not more of a text than a message bears.
pub(super) fn cut(text: &str) -> String {
    const LONGEST: usize = 120;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_a_string_takes_no_name_with_it() {
        let map = PathMap::of_package("/Game/Old", "/Game/New");
        let plan = Plan { map, scope: Scope::Soft, rows: Vec::new() };
        let context = Context::new(Vec::new().into(), Vec::new());
        let mut uses = Uses::of(&plan, &context, Vec::new());
        let path = |path: &str| SoftObjectPath { path: FString::new(path), ..Default::default() };
        for text in ["/Game/Old.Old", "/Game/Other", "/Game/Old.Old"] {
            uses.soft_path(&mut path(text), &[]);
            uses.name(&mut Name::new(3), &[]);
        }
        assert_eq!(uses.names[&Name::new(3)], (3, 0));
        assert_eq!(uses.soft, [(path("/Game/Old.Old"), 2), (path("/Game/Other"), 1)]);
    }
}
