//! Converting: a package for another file version of its engine.
//!
//! Every type says by version bounds what it looks like where, so saving for another version is saving. A
//! value that the target has no place for is the error `NotInVersion`, as everywhere. What the source had
//! no place for has been `Default` since it was loaded, and a saver writes that: this is how parts appear
//! that only the target has (zeros behind properties, ends of lazy arrays, empty lists). Five things need more:
//!
//! * The default of a name is row 0, which must mean none in both versions. So while the versions change,
//!   none *is* row 0: names are renumbered before, as the old version sees them, and back afterwards, as
//!   the new one does.
//! * The GUID and the generations stand elsewhere below version 68.
//! * Rows of UE3 list the components of their objects up to version 542. What they list follows from outers and
//!   archetypes, so that lists are made, and are dropped where they say nothing else.
//! * The alpha of a palette counts from version 66 on only: it becomes 255, as which it was read.
//! * Some values of the target follow from others in ways that only the engine knows (the size of a
//!   function's parameters). Zero would be wrong for them, so a package that needs one is refused.
//!
//! The result is opened again and compared with the original, value by value, before it is returned.

use std::sync::Arc;

use super::Edit;
use super::component_map::has_component_lists;
use super::refusal::refuse_object_versions;
use crate::archive::{Archive, Archived, Context, Counter, Remap};
use crate::compare::{Diff, Difference, FieldDifference, diff};
use crate::error::{Error, ErrorKind, PathStep, Result, UnrealErrors};
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::object::ue1::Palette;
use crate::package::decode::{Decoded, native_as, native_as_mut};
use crate::package::former::Former;
use crate::package::{Package, Section};
use crate::primitive::{AbsentNames, Guid, NameRemap};
use crate::table::{FileVersions, Generation};
use crate::version::{FILE, Game, UnrealVersions, Versions, threshold};

/// Fields that packages of another version do not say and that zero would be wrong for: what follows from
/// the fields of a function or class, and the radius of a sphere (spec: ue1-3/06 §6.1, 01 §1.10).
const UNKNOWABLE: &[&str] =
    &["params_size", "num_params", "return_value_offset", "old_record_size", "radius"];

/// First file version whose property flags have their later meaning (spec: ue1-3/06 §6.1).
const PROPERTY_FLAGS_CHANGED: u32 = 62;
/// Flags of properties that mean something else below it.
const CHANGED_PROPERTY_FLAGS: u64 = 0x0008_0040;

/// The same package for another file version of its engine, opened from the converted bytes.
///
/// Kept are all values, names and references, the order of tables, GUID and flags. The GUID moves
/// between header and heritage table at version 68; one generation appears there, or goes. Below version 543 rows
/// list the components of their objects, each by the name of what it starts from, or else by its own.
///
/// # Errors
/// `NotInVersion`, `BadText` or `OutOfRange` with the path of a value that the target can't hold;
/// `Refused` with the objects that are not decoded, or that need values which this version does not
/// say, and with those that list components otherwise where the target lists none; `Invalid` for a version of another
/// engine or game.
pub fn converted(package: &Package, file: u32) -> Result<Package> {
    let mut edit = Edit::of(package.clone());
    refuse_object_versions(&edit, "converting")?;
    let versions = edit.versions_for(file)?;
    if file == package.versions().file() {
        return Ok(edit.into_package());
    }
    let (lists_now, lists_then) =
        (has_component_lists(edit.versions()), has_component_lists(&versions));
    let lists = (lists_then && !lists_now).then(|| edit.component_lists());
    if lists_now && !lists_then {
        edit.check_component_lists()?;
    }
    let none = edit.last_none().and_then(|row| i32::try_from(row).ok()).unwrap_or(0);
    let looked = edit.look_at_bodies(none, &versions)?;
    edit.decode_rows(looked.palettes.iter().copied())?;
    // What is compared with the result at the end: palettes say the same in another way, and lists follow from the rest.
    let is_other = edit.convert_palettes(&looked.palettes, file)?
        | (!lists_then && edit.drop_component_lists());
    let original = is_other.then(|| edit.clone());
    edit.decoding_context();
    let former = edit.package.as_former();
    let both = [edit.versions().of_bodies(), versions.of_bodies()];
    edit.exchange_none(none, AbsentNames::FromNone);
    *edit.package.parts_mut().versions = versions;
    edit.convert_header()?;
    edit.check_convertible()?;
    looked.lost.map_or(Ok(()), Err)?;
    edit.exchange_none(none, AbsentNames::ToNone);
    let makes_lists = lists.is_some();
    edit.put_component_lists(lists.unwrap_or_default());
    let rows = (0..edit.export_count()).map(|row| u32::try_from(row).ok()).collect();
    let change = move |decoded: &mut Decoded| {
        let mut both = both.iter().zip([AbsentNames::FromNone, AbsentNames::ToNone]);
        both.try_for_each(|(versions, absent)| {
            exchange((none, absent), versions, |remap| decoded.body.serialize(remap))
        })
    };
    edit.package.set_former(Former::new(former, rows, Box::new(change)));
    edit.rebase()?;
    let original = original.as_deref().unwrap_or(package);
    if makes_lists {
        edit.check_component_lists()?;
        let mut without = edit.clone();
        without.drop_component_lists();
        check_same(&diff(original, &without), file)?;
    } else {
        check_same(&diff(original, &edit), file)?;
    }
    Ok(edit.into_package())
}

/// The findings in the bodies that are to be converted.
#[derive(Default)]
struct Looked {
    /// The rows of palettes.
    palettes: Vec<usize>,
    /// The first value that the version has no place for.
    lost: Option<Error>,
}

/// Shows values to what lets none and row 0 change places.
fn exchange(
    (none, absent): (i32, AbsentNames),
    versions: &Versions,
    show: impl FnOnce(&mut Remap<'_>) -> Result<()>,
) -> Result<()> {
    let names = move |index: i32| match index {
        0 => Some(none),
        index if index == none => Some(0),
        other => Some(other),
    };
    let objects = |index: i32| Some(index);
    let context = Arc::new(Context::default().with(absent));
    show(&mut Remap::names_and_objects(versions.clone(), &names, &objects).with_context(context))
}

impl Edit {
    /// The versions of the target, if it is of the same engine and game.
    fn versions_for(&self, file: u32) -> Result<Versions> {
        let old = self.versions();
        let new = old.clone().with(FILE, file);
        const OLDEST: u32 = 35;
        if new.engine() != old.engine() || file < OLDEST || u16::try_from(file).is_err() {
            let (engine, from) = (old.engine(), old.file());
            return Err(Error::invalid(format!(
                "a package of version {from} can only be converted to another version of {engine}, \
                 not to {file}"
            )));
        }
        let detect = |file| Game::detect(file, old.licensee());
        if detect(file) != detect(old.file()) && detect(old.file()) == old.game() {
            let (game, other) = (old.game(), detect(file));
            return Err(Error::invalid(format!(
                "version {file}/{} would be taken for {other}, not for {game}",
                old.licensee()
            )));
        }
        Ok(new)
    }

    /// Looks at every body before anything is changed.
    ///
    /// # Errors
    /// `Refused` with the objects that are not decoded to their last byte, or whose flags mean something else on
    /// the other side.
    fn look_at_bodies(&self, none: i32, versions: &Versions) -> Result<Looked> {
        let below = |file| file < PROPERTY_FLAGS_CHANGED;
        let flags_change = below(versions.file()) != below(self.versions().file());
        let is_changed = |decoded: &Decoded| match &decoded.body.native {
            Native::Script(object) => matches!(&**object, ScriptObject::Property(property)
                if property.property_flags & CHANGED_PROPERTY_FLAGS != 0),
            _ => false,
        };
        let of_bodies = self.versions().of_bodies();
        let mut counter = Counter::new(versions.clone()).with_context(self.source_context());
        let (mut undecoded, mut changed, mut looked) = (Vec::new(), Vec::new(), Looked::default());
        self.each_undecoded(|row, fresh| {
            let fresh = fresh.or_else(|| self.bodies().decoded.shared(row).cloned());
            let Some(mut decoded) = fresh else {
                let is_replaced = self.bodies().replaced.contains_key(&row);
                if is_replaced || self.tables().exports[row].serial_size.value() > 0 {
                    undecoded.push(row);
                }
                return;
            };
            if decoded.error.is_some() || decoded.opaque > 0 {
                undecoded.push(row);
            }
            if flags_change && is_changed(&decoded) {
                changed.push(row);
            }
            if native_as::<Palette>(&decoded.body).is_some() {
                looked.palettes.push(row);
            } else if looked.lost.is_none() {
                let body = &mut Arc::make_mut(&mut decoded).body;
                let before = (none, AbsentNames::FromNone);
                let counted = exchange(before, &of_bodies, |remap| body.serialize(remap));
                let counted = counted.and_then(|()| body.serialize(&mut counter));
                looked.lost = counted.err().map(|error| self.in_object(row, error));
            }
        });
        let paths = |rows: &[usize]| rows.iter().map(|&row| self.exports().path(row)).collect();
        if !undecoded.is_empty() {
            let reason = "objects are not decoded to their last byte, so nobody knows what another \
                          version makes of them";
            return Err(Error::refused(reason, paths(&undecoded)));
        }
        if !changed.is_empty() {
            let reason = "flags of properties mean something else in that version";
            return Err(Error::refused(reason, paths(&changed)));
        }
        Ok(looked)
    }

    fn in_object(&self, row: usize, error: Error) -> Error {
        error.within(PathStep::Name(self.exports().path(row).into()))
    }

    /// Alpha of colours, which did not count at first; says whether there are any.
    fn convert_palettes(&mut self, rows: &[usize], file: u32) -> Result<bool> {
        let from = self.versions().file();
        for &row in rows {
            let decoded = self.package.parts_kept().bodies.decoded.get_mut(&row);
            let palette = decoded.and_then(|decoded| native_as_mut::<Palette>(&mut decoded.body));
            if let Some(Err(error)) = palette.map(|palette| palette.convert(from, file)) {
                return Err(self.in_object(row, error));
            }
        }
        Ok(!rows.is_empty())
    }

    /// Renumbers names so that none and row 0 change places, where the current version has names. The
    /// table itself stays: done twice, nothing has changed but what the versions between add and drop.
    fn exchange_none(&mut self, none: i32, absent: AbsentNames) {
        let versions = self.versions().clone();
        // Visiting with rules that know every number does not fail.
        let _ = exchange((none, absent), &versions, |remap| {
            for section in [Section::Summary, Section::Imports, Section::Exports, Section::Guids] {
                let _ = self.package.serialize_section(section, remap.as_dyn());
            }
            for decoded in self.package.parts_kept().bodies.decoded.values_mut() {
                let _ = decoded.body.serialize(remap);
            }
            Ok(())
        });
    }

    /// Version, GUID and generations, which stand elsewhere below version 68.
    fn convert_header(&mut self) -> Result<()> {
        let lost = |field| {
            let error = Error::from(ErrorKind::NotInVersion).in_field(field);
            Err(error.in_field("summary"))
        };
        let file = self.versions().file();
        let tables = self.package.parts_mut().tables;
        let summary = &mut tables.summary;
        let (from, licensee) = summary.versions.file();
        let from = u32::from(from);
        // Checked: it fits.
        summary.versions = FileVersions::of_file(file as u16, licensee);
        let (old, new) = (from < threshold::HERITAGE_REMOVED, file < threshold::HERITAGE_REMOVED);
        if old && !new {
            if tables.heritage.len() > 1 {
                return lost("heritage");
            }
            summary.guid = tables.heritage.pop().unwrap_or_default();
            (summary.heritage_count, summary.heritage_offset) = (0, 0);
            summary.generations = vec![Generation {
                export_count: summary.export_count,
                name_count: summary.name_count,
                ..Generation::default()
            }];
        } else if new && !old {
            if summary.generations.len() > 1 {
                return lost("generations");
            }
            summary.generations.clear();
            tables.heritage = vec![std::mem::take(&mut summary.guid)];
            summary.heritage_count = 1;
        }
        if file < threshold::HERITAGE_GUID_ADDED {
            if tables.heritage.iter().any(|guid| *guid != Guid::default()) {
                return lost("guid");
            }
            tables.heritage.clear();
        } else if old && new && tables.heritage.is_empty() {
            // Its rows had no bytes.
            tables.heritage = vec![Guid::default(); summary.heritage_count.max(0) as usize];
        }
        Ok(())
    }

    /// Whether the version has a place for every value, with the path of the first that it has not.
    fn check_convertible(&mut self) -> Result<()> {
        let context = self.source_context();
        for section in [Section::Summary, Section::Names, Section::Imports, Section::Exports] {
            self.whole().count_section(section, 0, &context)?;
        }
        let rows: Vec<usize> = self.bodies().decoded.keys().collect();
        for row in rows {
            let counter = Counter::new(self.versions().clone());
            let decoded = self.package.parts_kept().bodies.decoded.get_mut(&row);
            let Some(decoded) = decoded else { continue };
            if let Err(error) = decoded.body.serialize(&mut counter.with_context(context.clone())) {
                return Err(self.in_object(row, error));
            }
        }
        Ok(())
    }
}

/// Whether a value says nothing: what a version that has no place for it means.
fn says_nothing(text: Option<&str>) -> bool {
    text.is_none_or(|text| {
        matches!(text, "" | "0" | "-0" | "-1" | "None" | "the place behind it")
            || text.bytes().all(|byte| byte == b'0')
    })
}

/// The converted package says what the original did.
fn check_same(found: &Diff, file: u32) -> Result<()> {
    let mut unknown = Vec::new();
    let mut wrong = Vec::new();
    let mut judge = |owner: &str, field: &FieldDifference| {
        let last = field.field.rsplit('.').next().unwrap_or_default();
        let one_sided = field.old.is_none() || field.new.is_none();
        if one_sided && field.old.is_none() && UNKNOWABLE.contains(&last) {
            unknown.push(format!("{owner}.{}", field.field));
        } else if !one_sided
            || !says_nothing(field.old.as_deref())
            || !says_nothing(field.new.as_deref())
        {
            wrong.push(format!("{owner}.{field}"));
        }
    };
    for field in &found.header {
        let expected = ["version", "generations", "heritage"];
        if !expected.iter().any(|name| field.field.starts_with(name)) {
            judge("summary", field);
        }
    }
    for object in &found.changed {
        for change in &object.changes {
            match change {
                Difference::Field(field) | Difference::Attribute(field) => {
                    judge(&object.path, field);
                }
                Difference::Form => {}
                other => judge(
                    &object.path,
                    &FieldDifference::of(
                        other.to_string(),
                        Some("the original".to_owned()),
                        Some("the converted".to_owned()),
                    ),
                ),
            }
        }
    }
    wrong.extend(found.added.iter().chain(&found.removed).map(|object| object.path.clone()));
    if !wrong.is_empty() {
        return Err(Error::refused(
            format!("values would mean something else in version {file}"),
            wrong,
        ));
    }
    if !unknown.is_empty() {
        let reason =
            format!("version {file} needs values that packages of this version do not say");
        return Err(Error::refused(reason, unknown));
    }
    Ok(())
}
