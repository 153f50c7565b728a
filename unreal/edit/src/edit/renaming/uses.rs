//! Uses of a package, before anything changes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bytes::Bytes;

use super::{Plan, Scope};
use crate::archive::{Context, Kind, Span};
use crate::error::PathStep;
use crate::package::Section;
use crate::primitive::{Name, SoftObjectPath, Visitor, Way, utf16_text};
use crate::version::ByteOrder;

/// Whether a path leads into code, whose strings are looked at with what stands before them.
fn is_code(path: &[PathStep]) -> bool {
    path.windows(2).any(|steps| matches!(steps, [PathStep::Field("script"), PathStep::Index(_)]))
}

/// Whether a use of a name, in a section and at a path, is one that changes.
pub(super) fn is_in(scope: Scope, section: Section, path: &Way) -> bool {
    let soft = matches!(
        section,
        Section::SoftPackageReferences | Section::AssetDependencies | Section::SoftObjectPaths
    );
    let import = section == Section::Imports
        && matches!(path.last_field(), Some("object_name" | "package_name" | "class_package"));
    match scope {
        Scope::All => true,
        Scope::References => soft || import,
        Scope::Soft => soft,
    }
}

/// A soft path that changes.
pub(super) struct ChangedPath {
    pub path: SoftObjectPath,
    pub old: String,
    pub new: String,
    /// How many there are.
    pub count: u64,
}

/// The uses of names and soft paths in a package, before anything changes.
pub(super) struct Uses<'a> {
    plan: &'a Plan,
    context: Arc<Context>,
    source: Bytes,
    pub section: Section,
    /// Names: all uses, and those that the plan's scope changes.
    pub names: HashMap<Name, (u64, u64)>,
    /// Soft paths in the order in which they are met, how often each is, and where each stands here.
    pub soft: Vec<(SoftObjectPath, u64)>,
    soft_rows: HashMap<SoftObjectPath, usize>,
    /// Names of the soft path that comes next.
    within: u8,
    /// Where the soft path stands that was met last, if it is a string.
    string_path: Option<Vec<PathStep>>,
    opaque: Vec<(Section, Span)>,
    pub texts: BTreeSet<(Section, String)>,
}

impl Visitor for Uses<'_> {
    fn name(&mut self, name: &mut Name, path: &Way) {
        let soft = self.within > 0;
        self.within = self.within.saturating_sub(1);
        let counts = self.names.entry(*name).or_default();
        counts.0 += 1;
        counts.1 += u64::from(soft || is_in(self.plan.scope, self.section, path));
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, at: &Way) {
        self.string_path = (!path.path.is_empty()).then(|| at.steps());
        self.within = match self.plan.map.path(&path.text(&self.context)) {
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

    fn span(&mut self, span: &mut Span, kind: Kind, path: &Way) {
        if kind == Kind::Opaque {
            self.opaque.push((self.section, span.clone()));
        }
        let Section::Body(_) = self.section else { return };
        // Paths below UE4 514 are strings, and change.
        let is_path = self.string_path.as_ref().is_some_and(|at| path.starts_with(at));
        if kind == Kind::Text
            && !is_path
            && let Ok(bytes) = span.bytes(self.context.source())
            && let text = text_of(bytes)
            && self.plan.map.text(&text).is_some()
            && !is_code(&path.steps())
        {
            self.texts.insert((self.section, text));
        }
    }
}

/// Characters of one or two bytes.
fn text_of(bytes: &[u8]) -> String {
    match bytes {
        [b'/', 0, ..] => utf16_text(bytes, ByteOrder::Little),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

impl<'a> Uses<'a> {
    pub fn of(plan: &'a Plan, context: Arc<Context>, opaque: Vec<(Section, Span)>) -> Self {
        Self {
            plan,
            source: context.source_bytes(),
            context,
            section: Section::Summary,
            names: HashMap::new(),
            soft: Vec::new(),
            soft_rows: HashMap::new(),
            within: 0,
            string_path: None,
            opaque,
            texts: BTreeSet::new(),
        }
    }

    /// The soft paths that change.
    pub fn targets(&self) -> Vec<ChangedPath> {
        let target = |(path, count): &(SoftObjectPath, u64)| {
            let old = path.text(&self.context);
            let new = self.plan.map.path(&old)?;
            Some(ChangedPath { path: path.clone(), old, new, count: *count })
        };
        self.soft.iter().filter_map(target).collect()
    }

    /// Names are about to change: nothing is asked here any more that needs their texts.
    pub fn forget_names(&mut self) {
        self.context = Context::nothing();
    }

    fn context_has_two_names(&self, path: &SoftObjectPath) -> bool {
        path.package_name != Name::default() || path.asset_name != Name::default()
    }

    /// Whether opaque bytes look like this name; with `other`, like one with a number.
    pub fn may_be_hidden(&self, row: i32, other: bool) -> Option<Section> {
        let row = row.to_le_bytes();
        let source = &self.source;
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
