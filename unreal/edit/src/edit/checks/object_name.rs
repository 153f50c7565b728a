//! Rules for the names of objects.

use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::version::{Engine, UnrealVersions};

/// Characters that stand between the parts of paths, or around them.
const OF_PATHS: &str = ".:'\"";
/// Characters that assets and actors of UE4 and UE5 may not have (C++: `INVALID_OBJECTNAME_CHARACTERS`).
const OF_NO_ASSET: &str = "\"' ,/.:|&!~\n\r\t@#(){}[]=;^%$`";
/// Characters that paths of packages may not have as well (C++: `INVALID_LONGPACKAGE_CHARACTERS`).
const OF_NO_PACKAGE: &str = "\\*?<>";

/// The class of an object, its name, and whether an engine looks for it.
type FixedName = (&'static str, &'static str, fn(Engine) -> bool);

/// Objects that engines find by their name.
const FIXED: &[FixedName] = &[
    ("Level", "MyLevel", |engine| matches!(engine, Engine::Ue1 | Engine::Ue2)),
    ("World", "TheWorld", |engine| matches!(engine, Engine::Ue3)),
    ("Level", "PersistentLevel", |engine| !matches!(engine, Engine::Ue1 | Engine::Ue2)),
];

impl Edit {
    /// Refuses another name or place for an object that the engine looks for by its path.
    pub(in crate::edit) fn check_fixed_name(&self, row: usize) -> Result<()> {
        let engine = self.versions().engine();
        let (class, name) = (self.class_name_of(row), self.object_name(PackageIndex::export(row)));
        let is = |(of, known, has): &&FixedName| {
            of.eq_ignore_ascii_case(&class) && known.eq_ignore_ascii_case(&name) && has(engine)
        };
        match FIXED.iter().find(is) {
            Some((class, name, _)) => self.doubt(|| {
                let path = self.exports().path(row);
                format!(
                    "the engine finds the {class} of a map by its name, '{name}': {path} keeps it"
                )
            }),
            None => Ok(()),
        }
    }

    /// Whether an object in `outer` can be called so; `old` is the one whose name it takes the place of, or that it
    /// is a copy of: what stands in that name may stand in the new one.
    pub(in crate::edit) fn check_object_name(
        &self,
        name: &str,
        outer: PackageIndex,
        old: Option<usize>,
    ) -> Result<()> {
        if name.eq_ignore_ascii_case("None") {
            return Err(Error::invalid("'None' means no object"));
        }
        if name.is_empty() {
            return Err(Error::invalid("an object needs a name of at least one character"));
        }
        let old = old.map(|row| self.object_name(PackageIndex::export(row))).unwrap_or_default();
        let is_fit = |letter: char| old.contains(letter) || self.may_hold(letter, outer);
        match name.chars().find(|letter| !is_fit(*letter)) {
            Some(letter) => self.doubt(|| {
                let (reason, letter) = (self.reason(letter), shown(letter));
                format!("'{name}' can't name an object: {letter} {reason}")
            }),
            None => Ok(()),
        }
    }

    /// Whether names of the table may have this text.
    pub(in crate::edit) fn check_name_text(&self, text: &str) -> Result<()> {
        let is_unfit = |letter: &char| letter.is_control() || ['"', '\''].contains(letter);
        // What a name can't be at all is refused elsewhere.
        match text.chars().find(|letter| *letter != '\0' && is_unfit(letter)) {
            Some(letter) => self.doubt(|| {
                let reason = match letter.is_control() {
                    true => "can't be written",
                    false => "ends names where they are written",
                };
                format!("'{text}' is no name: {} {reason}", shown(letter))
            }),
            None => Ok(()),
        }
    }

    /// Where names have numbers, the engine looks for `Light_3` as `Light` with a number: a row with the whole text is
    /// another name, which it never finds (spec: ue1-3/01 §1.4).
    pub(in crate::edit) fn check_one_row(&self, text: &str) -> Result<()> {
        match Name::split(text).filter(|_| self.versions().has_name_numbers()) {
            Some((base, _)) => self.doubt(|| {
                format!(
                    "the engine parts '{text}' into '{base}' and a number, and does not find a row with the \
                     whole text"
                )
            }),
            None => Ok(()),
        }
    }

    /// Whether names of objects in `outer` have this character in real packages.
    fn may_hold(&self, letter: char, outer: PackageIndex) -> bool {
        if letter.is_ascii_alphanumeric() || ['_', '-'].contains(&letter) {
            return true;
        }
        if !self.versions().has_soft_references() {
            // Of other letters those of the code page.
            return letter.is_alphabetic() && u32::from(letter) <= 0xff;
        }
        if self.is_asset_or_actor(outer) {
            let unfit = OF_NO_ASSET.contains(letter) || OF_NO_PACKAGE.contains(letter);
            return !unfit && !letter.is_control();
        }
        // Graphs, functions, and templates of components are called as people write.
        !OF_PATHS.contains(letter) && !letter.is_control()
    }

    /// UE4 and UE5: whether what lies in `outer` is an asset, or an actor of a level.
    fn is_asset_or_actor(&self, outer: PackageIndex) -> bool {
        match outer.target() {
            ObjectRef::Export(row) => self
                .tables()
                .exports
                .get(row)
                .is_some_and(|export| self.object_name(export.class_index) == "Level"),
            _ => true,
        }
    }

    /// Why a character is refused.
    fn reason(&self, letter: char) -> &'static str {
        match letter {
            '.' => "stands between an object and what it lies in",
            ':' if self.versions().has_subobject_paths() => {
                "stands between an asset and what lies in it"
            }
            '/' if self.versions().has_soft_references() => "stands between folders",
            '\'' | '"' => "stands around the paths of objects",
            letter if letter.is_control() => "can't be written",
            letter if !letter.is_ascii() => "is a letter outside the code page",
            _ if self.versions().has_soft_references() => {
                "is a character that the engine allows in no name of an asset or actor"
            }
            _ => "is no letter, digit, underscore or hyphen",
        }
    }
}

/// A character as messages name it.
fn shown(letter: char) -> String {
    match letter {
        ' ' => "a space".to_owned(),
        letter if letter.is_control() => format!("the character U+{:04X}", u32::from(letter)),
        letter => format!("'{letter}'"),
    }
}
