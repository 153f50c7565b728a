//! What changed in the layouts of classes between two releases of a package.

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
    /// What changed.
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
    /// What it inherits takes more or fewer bytes.
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

/// The own fields of a class, and where they begin.
struct Own {
    fields: Vec<PlacedField>,
    start: u32,
    complete: bool,
}

impl Classes {
    /// What changed in the classes, structs and enums of `package` from `self` to `new`: places in memory,
    /// in UE4 and UE5 the order of what is declared.
    pub fn layout_changes(&self, new: &Self, package: &str) -> Vec<ClassChange> {
        let of = |classes: &Self| -> BTreeSet<String> {
            let mine = classes.iter().filter(|class| class.package.eq_ignore_ascii_case(package));
            mine.map(|class| class.path().to_ascii_lowercase()).collect()
        };
        let structs_of = |classes: &Self| -> BTreeSet<String> {
            let mine = classes.structs().filter(|it| it.package.eq_ignore_ascii_case(package));
            mine.map(|structure| structure.full_path().to_ascii_lowercase()).collect()
        };
        let mut found = Vec::new();
        for path in of(self).union(&of(new)) {
            found.extend(self.class_change(new, path));
        }
        for path in structs_of(self).union(&structs_of(new)) {
            found.extend(struct_change(self.structure(path), new.structure(path)));
        }
        let enums_of = |classes: &Self| -> BTreeSet<String> {
            let inside = |path: &str| {
                let head = path.get(..package.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(package))
                    && path.as_bytes().get(package.len()) == Some(&b'.')
            };
            let mine = classes.enums().filter(|it| inside(&it.path));
            mine.map(|it| it.path.to_ascii_lowercase()).collect()
        };
        for path in enums_of(self).union(&enums_of(new)) {
            found.extend(enum_change(self.enumeration(path), new.enumeration(path)));
        }
        found
    }

    fn class_change(&self, new: &Self, path: &str) -> Option<ClassChange> {
        let (before, now) = (self.get(path), new.get(path));
        let mut changes = Vec::new();
        match (before, now) {
            (None, _) => changes.push(LayoutChange::ClassAdded),
            (_, None) => changes.push(LayoutChange::ClassRemoved),
            (Some(before), Some(now)) => self.compare(new, before, now, &mut changes),
        }
        let named = now.or(before)?;
        // A native class that was not there before breaks no code that is.
        let native = before.is_some_and(|class| class.native);
        (!changes.is_empty()).then(|| ClassChange { class: named.path(), native, changes })
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
            return compare_fields(&before.fields, &now.fields, changes);
        }
        let (Some(old), Some(new)) = (self.own(before), new.own(now)) else { return };
        if old.start != new.start && old.complete && new.complete {
            changes.push(LayoutChange::ParentResized { old: old.start, new: new.start });
        }
        let place = |own: &Own, field: &PlacedField| field.offset.saturating_sub(own.start);
        for field in &old.fields {
            let name = field.field.name.clone();
            let is = |other: &&PlacedField| other.field.name.eq_ignore_ascii_case(&name);
            let Some(other) = new.fields.iter().find(is) else {
                let type_text = field.field.type_text();
                changes.push(LayoutChange::FieldRemoved { field: name, type_text });
                continue;
            };
            let (was, is) = (field.field.type_text(), other.field.type_text());
            if !was.eq_ignore_ascii_case(&is) {
                changes.push(LayoutChange::FieldRetyped { field: name.clone(), old: was, new: is });
            } else if field.size != other.size {
                let (old, new) = (field.size, other.size);
                changes.push(LayoutChange::FieldResized { field: name.clone(), old, new });
            }
            let (was, is) = (place(&old, field), place(&new, other));
            if was != is || field.bit != other.bit {
                changes.push(LayoutChange::FieldMoved { field: name, old: was, new: is });
            }
        }
        for field in &new.fields {
            let is =
                |other: &&PlacedField| other.field.name.eq_ignore_ascii_case(&field.field.name);
            if !old.fields.iter().any(|other| is(&other)) {
                let (field, type_text) = (field.field.name.clone(), field.field.type_text());
                changes.push(LayoutChange::FieldAdded { field, type_text });
            }
        }
    }

    fn own(&self, class: &ClassInfo) -> Option<Own> {
        let path = class.path();
        let layout = self.layout(&path)?;
        let start = match &class.parent {
            Some(parent) => self.layout(parent).map_or(0, |parent| parent.size),
            None => 0,
        };
        let complete = layout.complete;
        let fields = layout.fields.into_iter().filter(|field| field.declared_in == path).collect();
        Some(Own { fields, start, complete })
    }
}

/// Structs are compared by what they declare; classes that hold them show the sizes.
fn struct_change(before: Option<&StructInfo>, now: Option<&StructInfo>) -> Option<ClassChange> {
    let named = now.or(before)?;
    let mut changes = Vec::new();
    match (before, now) {
        (None, _) => changes.push(LayoutChange::ClassAdded),
        (_, None) => changes.push(LayoutChange::ClassRemoved),
        (Some(before), Some(now)) => compare_fields(&before.fields, &now.fields, &mut changes),
    }
    let class = format!("struct {}", named.full_path());
    (!changes.is_empty()).then_some(ClassChange { class, native: false, changes })
}

/// Fields are compared by what is declared; their places are their numbers.
fn compare_fields(before: &[FieldInfo], now: &[FieldInfo], changes: &mut Vec<LayoutChange>) {
    let place = |fields: &[FieldInfo], name: &str| {
        fields.iter().position(|field| field.name.eq_ignore_ascii_case(name))
    };
    for (at, field) in before.iter().enumerate() {
        let (name, was) = (field.name.clone(), field.type_text());
        let Some(to) = place(now, &name) else {
            changes.push(LayoutChange::FieldRemoved { field: name, type_text: was });
            continue;
        };
        let is = now[to].type_text();
        if !was.eq_ignore_ascii_case(&is) {
            changes.push(LayoutChange::FieldRetyped { field: name.clone(), old: was, new: is });
        }
        if to != at {
            let (old, new) = (at as u32, to as u32);
            changes.push(LayoutChange::FieldMoved { field: name, old, new });
        }
    }
    for field in now.iter().filter(|field| place(before, &field.name).is_none()) {
        let (field, type_text) = (field.name.clone(), field.type_text());
        changes.push(LayoutChange::FieldAdded { field, type_text });
    }
}

/// Enums are compared by the numbers of their values.
fn enum_change(before: Option<&EnumInfo>, now: Option<&EnumInfo>) -> Option<ClassChange> {
    let named = now.or(before)?;
    let mut changes = Vec::new();
    match (before, now) {
        (None, _) => changes.push(LayoutChange::ClassAdded),
        (_, None) => changes.push(LayoutChange::ClassRemoved),
        (Some(before), Some(now)) => {
            let number = |all: &EnumInfo, name: &str| {
                let at = all.values.iter().position(|known| known.eq_ignore_ascii_case(name))?;
                Some(all.number(at))
            };
            for (at, value) in before.values.iter().enumerate() {
                let (old, value) = (before.number(at), value.clone());
                match number(now, &value) {
                    None => changes.push(LayoutChange::ValueRemoved { value, number: old }),
                    Some(new) if new != old => {
                        changes.push(LayoutChange::ValueMoved { value, old, new });
                    }
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
    }
    let class = format!("enum {}", named.path);
    (!changes.is_empty()).then_some(ClassChange { class, native: false, changes })
}
