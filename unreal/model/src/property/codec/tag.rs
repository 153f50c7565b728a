//! Property tags: what stands between the name of a property and its value.

use super::is_early;
use super::type_name::TypeNode;
use crate::Archived;
use crate::archive::{Archive, ArchiveExt, Role, Step};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Guid, Name};

/// First UE5 version whose tags have complete type names.
pub(super) const COMPLETE_NAMES: u32 = 1012;

/// The tag between the name of a property and its value, in every form.
///
/// Spec: ue1-3/05 §5.3, §5.4; ue4-5/04 §3, §4. C++: `FPropertyTag`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::property) struct PropertyTag {
    /// The class of the property, from UE3 on.
    pub type_name: Name,
    pub detail: Detail,
    /// Element of a static array.
    pub array_index: i32,
    /// As stored from UE5 1012 on; what follows from other fields is made anew.
    pub(super) flags: u8,
    /// UE1 and UE2: the number that stands for the type.
    pub number: u8,
    /// UE1 and UE2: bytes of the array index; 0 when there is none.
    pub(super) index_bytes: u8,
    /// UE1 and UE2: a size code that the engine's saver would not have chosen.
    pub(super) odd_code: Option<u8>,
    /// A truth value whose property holds bytes besides; else the value is the truth.
    pub boolean: Option<bool>,
    /// The guess that fitted the value.
    pub form: FittingForm,
    pub extra: Option<Box<Extra>>,
}

/// The guess that fitted a value when it was loaded, 0 for what the tag says: archives without bytes state
/// it. It is no part of the value, and so all are equal.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::property) struct FittingForm(pub u8);

impl PartialEq for FittingForm {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The part of a tag about the type, beside the class of the property.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::property) enum Detail {
    #[default]
    None,
    /// Its GUID, unless that is zero.
    Struct(Name, Option<Box<Guid>>),
    Enum(Name),
    Inner(Name),
    Pair(Name, Name),
    /// The whole tree, where there is more than its first name.
    Tree(Vec<TypeNode>),
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::property) struct Extra {
    pub guid: Option<Guid>,
    pub extensions: Option<Extensions>,
}

/// Extensions of a tag: how a value that overrides an inherited one came to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Archived)]
pub struct Extensions {
    /// 2: an override follows.
    pub flags: u8,
    /// The override.
    #[archive(when = self.flags & 2 != 0)]
    pub overridden: Override,
}

/// How a value overrides an inherited one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Archived)]
pub struct Override {
    /// 0 none, 1 modified, 2 replace, 3 add, 4 remove.
    pub operation: u8,
    /// Whether an experimental rule applies.
    pub experimental: u32,
}

impl PropertyTag {
    /// A tag that says no more than this.
    pub fn new(type_name: Name, array_index: i32) -> Self {
        Self { type_name, array_index, ..Self::default() }
    }

    /// The start of tags of UE3 to early UE5: type, size and element; returns the place of the size.
    #[inline]
    pub(super) fn serialize_columns<A: Archive + ?Sized>(
        &mut self,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64> {
        in_column("type", ar, |ar| self.type_name.serialize(ar))?;
        let size_at = ar.position();
        in_column("size", ar, |ar| ar.serialize_u32(size))?;
        ar.role(Role::Size);
        in_column("array_index", ar, |ar| ar.serialize_i32(&mut self.array_index))?;
        Ok(size_at)
    }

    /// The struct that tags of UE1 to UE3 name.
    pub(super) fn serialize_struct_name<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match &mut self.detail {
            Detail::Struct(name, _) => in_column("struct_name", ar, |ar| name.serialize(ar)),
            _ => Ok(()),
        }
    }

    pub(super) fn set_extra(&mut self, extra: Extra) {
        self.extra = (extra != Extra::default()).then(|| Box::new(extra));
    }
}

/// Runs `inner` inside a column of a tag: up to UE3 the tag is one field, from UE4 on each column is.
#[inline]
fn in_column<A: Archive + ?Sized, R>(
    name: &'static str,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    let is_part = is_early(ar.versions());
    let (enter, leave) = match is_part {
        true => (Step::Part(Some(name)), Step::Part(None)),
        false => (Step::Field(name), Step::Leave),
    };
    ar.step(enter);
    let result = inner(ar);
    ar.step(leave);
    result.map_err(|error| if is_part { error } else { error.in_field(name) })
}

/// Says which truth value the number that was just read or written holds: where a tag stores it, the property has no other
/// bytes.
#[inline]
pub(super) fn explain_bool<A: Archive + ?Sized>(boolean: Option<bool>, ar: &mut A) {
    if let Some(flag) = boolean {
        ar.step(Step::Meaning(if flag { "True" } else { "False" }));
    }
}

#[cold]
pub(super) fn not_in_version<A: Archive + ?Sized>(ar: &A) -> crate::Error {
    ar.error(ErrorKind::NotInVersion)
}
