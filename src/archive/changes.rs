//! Changes between two versions of a format, and a record that holds versions to what they were.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use super::layout::{Field, Layout, Shape};
use crate::version::Versions;

/// One difference between two versions of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// The field or variant, with its type: `Hero.pet`, `Weather.Rain.strength`.
    pub path: String,
    /// How the first version stores it; `None` where only the second one does.
    pub before: Option<String>,
    /// How the second version stores it; `None` where only the first one does.
    pub after: Option<String>,
}

/// `+ Hero.pet: Option<Box<Hero>>`, `- Hero.mana: u8`, `~ Hero.health: u8 -> u16`.
impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match (&self.before, &self.after) {
            (None, Some(after)) => write!(f, "+ {path}: {after}"),
            (Some(before), None) => write!(f, "- {path}: {before}"),
            (Some(before), Some(after)) if before == after => write!(f, "~ {path} has moved"),
            (Some(before), Some(after)) => write!(f, "~ {path}: {before} -> {after}"),
            (None, None) => write!(f, "{path}"),
        }
    }
}

/// The changes from the first version to the second, in a type and in all its parts.
///
/// ```
/// use farchive::archive::changes;
/// use farchive::{Archived, Versions};
///
/// #[derive(Archived)]
/// struct Hero {
///     name: String,
///     #[archive(was(until = 3, from = u16::from, to = narrow))]
///     health: u16,
///     #[since(2)]
///     pet: Option<String>,
/// }
///
/// fn narrow(health: &u16) -> Option<u8> {
///     u8::try_from(*health).ok()
/// }
///
/// let (first, third) = (Versions::own(1), Versions::own(3));
/// let changes = changes::between(Hero::LAYOUT, &first, &third);
/// let lines: Vec<_> = changes.iter().map(|change| change.to_string()).collect();
/// assert_eq!(lines, ["~ Hero.health: as u16::from takes it -> u16", "+ Hero.pet: Option<String>"]);
/// ```
pub fn between(layout: &'static Layout, first: &Versions, second: &Versions) -> Vec<FieldChange> {
    differences(&lines(layout, first), &lines(layout, second))
}

/// A field or variant, and how it is stored.
type StoredLine = (String, String);

/// Lines for a version: each field and variant of the type and of its parts.
fn lines(layout: &'static Layout, versions: &Versions) -> Vec<StoredLine> {
    let mut lines = Vec::new();
    let mut types = vec![layout];
    let mut at = 0;
    while let Some(layout) = types.get(at) {
        let name = layout.name();
        let fields = |prefix: &str, fields: &'static [Field], lines: &mut Vec<StoredLine>| {
            let mut linked: Vec<&'static Layout> = Vec::new();
            for field in fields.iter().filter(|field| field.is_in(versions)) {
                lines.push((format!("{prefix}.{}", field.name), stored(field)));
                linked.extend(field.links.iter().filter_map(|link| link.layout()));
            }
            linked
        };
        let start = lines.len();
        let mut linked: Vec<&'static Layout> = Vec::new();
        match layout.shape {
            Shape::Struct { fields: own } | Shape::Manual { fields: own, .. } => {
                linked.extend(fields(&name, own, &mut lines));
            }
            Shape::Enum { repr, variants } => {
                for variant in variants.iter().filter(|variant| variant.is_in(versions)) {
                    let path = format!("{name}.{}", variant.name);
                    lines.push((path.clone(), format!("{} as {repr}", variant.number())));
                    linked.extend(fields(&path, variant.fields, &mut lines));
                }
            }
        }
        if lines.len() == start {
            lines.push((name, "nothing".to_owned()));
        }
        for layout in linked {
            if !types.iter().any(|known| (known.path)() == (layout.path)()) {
                types.push(layout);
            }
        }
        at += 1;
    }
    lines
}

/// How a field is stored, as its attributes say.
fn stored(field: &Field) -> String {
    let mut text = field.ty.to_owned();
    let mut add = |before: &str, said: &str| {
        let space = if text.is_empty() { "" } else { " " };
        text.push_str(&format!("{space}{before}{said}"));
    };
    match field.with {
        Some(with) if field.ty.is_empty() => add("", with),
        Some(with) => add("with ", with),
        None => {}
    }
    if let Some(when) = field.when {
        add("when ", when);
    }
    text
}

fn differences(first: &[StoredLine], second: &[StoredLine]) -> Vec<FieldChange> {
    let of_first: BTreeMap<_, _> = first.iter().map(|(path, stored)| (path, stored)).collect();
    let of_second: BTreeMap<_, _> = second.iter().map(|(path, stored)| (path, stored)).collect();
    let mut changes = Vec::new();
    for (path, stored) in first.iter().filter(|(path, _)| !of_second.contains_key(path)) {
        let (path, before) = (path.clone(), Some(stored.clone()));
        changes.push(FieldChange { path, before, after: None });
    }
    for (path, stored) in second {
        let before = of_first.get(path).map(|before| (*before).clone());
        if before.as_ref() != Some(stored) {
            changes.push(FieldChange { path: path.clone(), before, after: Some(stored.clone()) });
        }
    }
    if changes.is_empty() {
        // The same fields in another order are another layout as well.
        let moved = first.iter().zip(second).find(|(one, other)| one != other);
        changes.extend(moved.map(|(_, (path, stored))| FieldChange {
            path: path.clone(),
            before: Some(stored.clone()),
            after: Some(stored.clone()),
        }));
    }
    changes
}

/// The fault of a record of versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// Versions that are no longer what was recorded, and how they differ.
    pub changed: Vec<(u32, Vec<FieldChange>)>,
    /// Versions that were not recorded yet.
    pub missing: Vec<u32>,
    /// The record with those that are missing.
    pub text: String,
}

impl Stale {
    /// Whether every recorded version is what it was: the others can be added.
    pub fn only_lacks_versions(&self) -> bool {
        self.changed.is_empty()
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (version, changes) in &self.changed {
            writeln!(f, "version {version} is no longer what was recorded:")?;
            for change in changes {
                writeln!(f, "  {change}")?;
            }
        }
        if !self.changed.is_empty() {
            return f.write_str(
                "files of such versions can no longer be read: a new field needs `#[since(V)]` with a version that \
                 no file has yet, a field that goes `#[until(V)]`, one whose type changes `was(until = V, …)`; if \
                 there are no files of a version, take its lines out of the record and record it anew",
            );
        }
        let missing: Vec<_> = self.missing.iter().map(ToString::to_string).collect();
        write!(
            f,
            "version {} is not recorded yet: run the test with FARCHIVE_RECORD=1 and commit the record",
            missing.join(", ")
        )
    }
}

/// Compares versions of a format of one's own with a record of them: the text that [`Stale::text`] is.
///
/// [`assert_recorded!`](crate::assert_recorded) does so in a test.
///
/// # Errors
/// [`Stale`] where a recorded version has changed, or one is not recorded.
pub fn check(
    layout: &'static Layout,
    versions: RangeInclusive<u32>,
    record: &str,
) -> Result<(), Box<Stale>> {
    let recorded = parse(record);
    let (mut changed, mut missing) = (Vec::new(), Vec::new());
    let mut all = recorded.clone();
    for (version, before) in &recorded {
        let changes = differences(before, &lines(layout, &Versions::own(*version)));
        if !changes.is_empty() {
            changed.push((*version, changes));
        }
    }
    for version in versions.filter(|version| !recorded.contains_key(version)) {
        missing.push(version);
        all.insert(version, lines(layout, &Versions::own(version)));
    }
    if changed.is_empty() && missing.is_empty() {
        return Ok(());
    }
    let mut text = format!("What each version of {} stores; it never changes.\n", layout.name());
    for (version, lines) in &all {
        text.push_str(&format!("\nversion {version}\n"));
        for (path, stored) in lines {
            text.push_str(&format!("  {path}: {stored}\n"));
        }
    }
    Err(Box::new(Stale { changed, missing, text }))
}

fn parse(record: &str) -> BTreeMap<u32, Vec<StoredLine>> {
    let mut versions = BTreeMap::new();
    let mut current: Option<&mut Vec<StoredLine>> = None;
    for line in record.lines() {
        if let Some(version) = line.strip_prefix("version ").and_then(|it| it.parse().ok()) {
            current = Some(versions.entry(version).or_default());
        } else if let (Some(lines), Some((path, stored))) = (&mut current, line.split_once(": ")) {
            lines.push((path.trim().to_owned(), stored.to_owned()));
        }
    }
    versions
}

/// Asserts, in a test, that no version of a format has changed since it was recorded: a field without the `since` that
/// it needs fails.
///
/// It takes the type of the whole file, its versions, and the path of the record from the crate's own folder. Where
/// versions are not recorded yet, running the test with the environment variable `FARCHIVE_RECORD` set adds them.
///
/// ```no_run
/// use farchive::Archived;
///
/// #[derive(Archived)]
/// struct Level {
///     width: u16,
///     #[since(2)]
///     height: u16,
/// }
///
/// farchive::assert_recorded!(Level, 1..=2, "tests/level.layout");
/// ```
///
/// # Panics
/// Where a recorded version differs, or one is not recorded, with the fields.
#[macro_export]
macro_rules! assert_recorded {
    ($type:ty, $versions:expr, $path:expr $(,)?) => {{
        let path = ::std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join($path);
        #[allow(clippy::disallowed_methods)]
        let record = ::std::fs::read_to_string(&path).unwrap_or_default();
        let layout = <$type as $crate::Archived>::LAYOUT;
        if let Err(stale) = $crate::archive::changes::check(layout, $versions, &record) {
            let record = ::std::env::var_os("FARCHIVE_RECORD").is_some();
            if !(record && stale.only_lacks_versions()) {
                panic!("{}: {stale}", path.display());
            }
            #[allow(clippy::disallowed_methods)]
            ::std::fs::write(&path, &stale.text).expect("the record is written");
        }
    }};
}
