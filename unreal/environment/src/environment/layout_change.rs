//! Changes in the layouts of classes between two releases of a package.

use std::collections::BTreeSet;
use std::fmt;

use super::{ClassInfo, Classes, EnumInfo, FieldInfo, PlacedField, StructInfo};

/// A class or struct whose layout has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassChange {
    /// Its path, of a struct with `struct ` before it, of an enum with `enum `.
    pub class: String,
    /// Whether native code relies on the layout: then it must be compiled anew.
    pub native: bool,
    /// The changes.
    pub changes: Vec<LayoutChange>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "change", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum LayoutChange {
    /// It was not there before.
    ClassAdded,
    /// It is no longer there.
    ClassRemoved,
    /// It derives from another one.
    ParentChanged {
        /// Path of the parent before.
        old: String,
        /// Path of the parent now.
        new: String,
    },
    /// A field was added.
    FieldAdded {
        /// Its name.
        field: String,
        /// Its type.
        #[cfg_attr(feature = "serde", serde(rename = "type"))]
        type_text: String,
    },
    /// A field was removed.
    FieldRemoved {
        /// Its name.
        field: String,
        /// Its type.
        #[cfg_attr(feature = "serde", serde(rename = "type"))]
        type_text: String,
    },
    /// A field has another type.
    FieldRetyped {
        /// Its name.
        field: String,
        /// The type before.
        old: String,
        /// The type now.
        new: String,
    },
    /// A field has another place: bytes from the start of what the class itself declares; of a struct its
    /// number among the fields.
    FieldMoved {
        /// Its name.
        field: String,
        /// The place before.
        old: u32,
        /// The place now.
        new: u32,
    },
    /// A field of the same type takes more or fewer bytes.
    FieldResized {
        /// Its name.
        field: String,
        /// The size before.
        old: u32,
        /// The size now.
        new: u32,
    },
    /// An enum has a new value.
    ValueAdded {
        /// Its name.
        value: String,
        /// Its number.
        number: i64,
    },
    /// An enum has lost a value.
    ValueRemoved {
        /// Its name.
        value: String,
        /// The number it had.
        number: i64,
    },
    /// A value of an enum has another number.
    ValueMoved {
        /// Its name.
        value: String,
        /// The number before.
        old: i64,
        /// The number now.
        new: i64,
    },
    /// The inherited fields take more or fewer bytes.
    ParentResized {
        /// The size before.
        old: u32,
        /// The size now.
        new: u32,
    },
}

impl fmt::Display for LayoutChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClassAdded => f.write_str("added"),
            Self::ClassRemoved => f.write_str("removed"),
            Self::ParentChanged { old, new } => write!(f, "derives from {new}, before from {old}"),
            Self::FieldAdded { field, type_text } => write!(f, "added {field}: {type_text}"),
            Self::FieldRemoved { field, type_text } => write!(f, "removed {field}: {type_text}"),
            Self::FieldRetyped { field, old, new } => write!(f, "{field} is {new}, was {old}"),
            Self::FieldMoved { field, old, new } => {
                write!(f, "{field} is at {new:#x}, was at {old:#x}")
            }
            Self::FieldResized { field, old, new } => {
                write!(f, "{field} takes {new} bytes, took {old}")
            }
            Self::ValueAdded { value, number } => write!(f, "added {value} = {number}"),
            Self::ValueRemoved { value, number } => write!(f, "removed {value} = {number}"),
            Self::ValueMoved { value, old, new } => write!(f, "{value} is {new}, was {old}"),
            Self::ParentResized { old, new } => {
                write!(f, "what it inherits takes {new} bytes, took {old}")
            }
        }
    }
}

/// A field as it is compared: its type as text, its place, and what it takes.
struct ComparedField<'a> {
    name: &'a str,
    type_text: String,
    place: u32,
    size: u32,
    bit: Option<u32>,
}

impl<'a> ComparedField<'a> {
    /// Fields as they are declared: their places are their numbers.
    fn declared(fields: &'a [FieldInfo]) -> Vec<Self> {
        let field = |(place, field): (u32, &'a FieldInfo)| Self {
            name: &field.name,
            type_text: field.type_text(),
            place,
            size: 0,
            bit: None,
        };
        (0..).zip(fields).map(field).collect()
    }

    /// The fields that a class adds to those of its parent, which end at `start`.
    fn placed(fields: &'a [PlacedField], path: &str, start: u32) -> Vec<Self> {
        let own = fields.iter().filter(|placed| placed.declared_in == path);
        let field = |placed: &'a PlacedField| Self {
            name: &placed.field.name,
            type_text: placed.field.type_text(),
            place: placed.offset.saturating_sub(start),
            size: placed.size,
            bit: placed.bit,
        };
        own.map(field).collect()
    }
}

impl Classes {
    /// What changed in the classes, structs and enums of `package` from `self` to `new`: places in memory,
    /// in UE4 and UE5 the order of what is declared.
    pub fn layout_changes(&self, new: &Self, package: &str) -> Vec<ClassChange> {
        let is_own = |other: &str| other.eq_ignore_ascii_case(package);
        let inside = |path: &str| {
            path.get(..package.len()).is_some_and(is_own)
                && path.as_bytes().get(package.len()) == Some(&b'.')
        };
        let lower = |path: String| path.to_ascii_lowercase();
        let (both, mut found) = ([self, new], Vec::new());
        let classes = both.iter().flat_map(|it| it.iter().filter(|class| is_own(&class.package)));
        for path in classes.map(|class| lower(class.path())).collect::<BTreeSet<_>>() {
            let (before, now) = (self.get(&path), new.get(&path));
            // A native class that was not there before breaks no code that is.
            let native = before.is_some_and(|class| class.native);
            found.extend(change(before, now, ClassInfo::path, native, |before, now, changes| {
                self.compare(new, before, now, changes);
            }));
        }
        // Structs are compared by what they declare; classes that hold them show the sizes.
        let structs = both.iter().flat_map(|it| it.structs().filter(|it| is_own(&it.package)));
        for path in structs.map(|it| lower(it.full_path())).collect::<BTreeSet<_>>() {
            let (before, now) = (self.structure(&path), new.structure(&path));
            let title = |named: &StructInfo| format!("struct {}", named.full_path());
            found.extend(change(before, now, title, false, |before, now, changes| {
                let declared = ComparedField::declared;
                compare_fields(&declared(&before.fields), &declared(&now.fields), changes);
            }));
        }
        let enums = both.iter().flat_map(|it| it.enums().filter(|it| inside(&it.path)));
        for path in enums.map(|it| lower(it.path.clone())).collect::<BTreeSet<_>>() {
            let (before, now) = (self.enumeration(&path), new.enumeration(&path));
            let title = |named: &EnumInfo| format!("enum {}", named.path);
            found.extend(change(before, now, title, false, compare_values));
        }
        found
    }

    fn compare(
        &self,
        new: &Self,
        before: &ClassInfo,
        now: &ClassInfo,
        changes: &mut Vec<LayoutChange>,
    ) {
        let text = |parent: &Option<String>| parent.clone().unwrap_or_else(|| "nothing".to_owned());
        let (old_parent, new_parent) = (text(&before.parent), text(&now.parent));
        if !old_parent.eq_ignore_ascii_case(&new_parent) {
            changes.push(LayoutChange::ParentChanged { old: old_parent, new: new_parent });
        }
        if self.is_ue4() {
            let declared = ComparedField::declared;
            return compare_fields(&declared(&before.fields), &declared(&now.fields), changes);
        }
        let (was, is) = (before.path(), now.path());
        let (Some(old_layout), Some(new_layout)) = (self.layout(&was), new.layout(&is)) else {
            return;
        };
        let (old, new) = (self.start_of(before), new.start_of(now));
        if old != new && old_layout.complete && new_layout.complete {
            changes.push(LayoutChange::ParentResized { old, new });
        }
        let old = ComparedField::placed(&old_layout.fields, &was, old);
        compare_fields(&old, &ComparedField::placed(&new_layout.fields, &is, new), changes);
    }

    /// Where the own fields of a class begin.
    fn start_of(&self, class: &ClassInfo) -> u32 {
        let parent = class.parent.as_ref().and_then(|parent| self.layout(parent));
        parent.map_or(0, |parent| parent.size)
    }
}

/// The changes in one class, struct or enum.
fn change<T>(
    before: Option<&T>,
    now: Option<&T>,
    title: impl Fn(&T) -> String,
    native: bool,
    compare: impl FnOnce(&T, &T, &mut Vec<LayoutChange>),
) -> Option<ClassChange> {
    let class = title(now.or(before)?);
    let mut changes = Vec::new();
    match (before, now) {
        (None, _) => changes.push(LayoutChange::ClassAdded),
        (_, None) => changes.push(LayoutChange::ClassRemoved),
        (Some(before), Some(now)) => compare(before, now, &mut changes),
    }
    (!changes.is_empty()).then_some(ClassChange { class, native, changes })
}

fn compare_fields(
    before: &[ComparedField<'_>],
    now: &[ComparedField<'_>],
    changes: &mut Vec<LayoutChange>,
) {
    fn find<'f, 'a>(all: &'f [ComparedField<'a>], name: &str) -> Option<&'f ComparedField<'a>> {
        all.iter().find(|field| field.name.eq_ignore_ascii_case(name))
    }
    for was in before {
        let (field, old) = (was.name.to_owned(), was.type_text.clone());
        let Some(is) = find(now, was.name) else {
            changes.push(LayoutChange::FieldRemoved { field, type_text: old });
            continue;
        };
        if !old.eq_ignore_ascii_case(&is.type_text) {
            let (field, new) = (field.clone(), is.type_text.clone());
            changes.push(LayoutChange::FieldRetyped { field, old, new });
        } else if was.size != is.size {
            let (field, old, new) = (field.clone(), was.size, is.size);
            changes.push(LayoutChange::FieldResized { field, old, new });
        }
        if was.place != is.place || was.bit != is.bit {
            changes.push(LayoutChange::FieldMoved { field, old: was.place, new: is.place });
        }
    }
    for field in now.iter().filter(|field| find(before, field.name).is_none()) {
        let (field, type_text) = (field.name.to_owned(), field.type_text.clone());
        changes.push(LayoutChange::FieldAdded { field, type_text });
    }
}

/// Enums are compared by the numbers of their values.
fn compare_values(before: &EnumInfo, now: &EnumInfo, changes: &mut Vec<LayoutChange>) {
    let number = |all: &EnumInfo, name: &str| {
        let at = all.values.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some(all.number(at))
    };
    for (at, value) in before.values.iter().enumerate() {
        let (old, value) = (before.number(at), value.clone());
        match number(now, &value) {
            None => changes.push(LayoutChange::ValueRemoved { value, number: old }),
            Some(new) if new != old => changes.push(LayoutChange::ValueMoved { value, old, new }),
            Some(_) => {}
        }
    }
    for (at, value) in now.values.iter().enumerate() {
        if number(before, value).is_none() {
            let (value, number) = (value.clone(), now.number(at));
            changes.push(LayoutChange::ValueAdded { value, number });
        }
    }
}
