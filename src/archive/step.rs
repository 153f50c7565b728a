//! Which field the next values belong to.

use std::cell::Cell;
use std::fmt;

use super::{Archive, Context, Space};
use crate::error::{PathStep, Result};
use crate::version::Versions;

/// A step tells an archive about the values that pass: which field or element comes, what a value means.
/// [`Archive::step`] takes it; only archives that explain values look at it.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    /// The next values belong to this field of a struct, until [`Step::Leave`].
    Field(&'static str),
    /// They belong to this element of an array.
    Index(usize),
    /// They belong to an element that is known by its text, such as a property; the text is made only where
    /// somebody wants it.
    Name(&'a dyn fmt::Display),
    /// They belong to an element that is known by the text of a reference, such as the name of a property;
    /// one without a text by its index.
    Row {
        /// The space that the reference points into.
        space: &'static Space,
        /// The row.
        row: i32,
        /// The number beside the row.
        number: i32,
        /// The element, where the row has no text.
        index: usize,
    },
    /// The meaning of the value that was serialised last: names of flags, the text of a string. Called only where
    /// somebody wants it; an empty text says nothing.
    Note(&'a dyn Fn(&Context, &Versions) -> String),
    /// The same where it is always one text: the name of a variant.
    Meaning(&'static str),
    /// The role of the value that was serialised last, where saving makes it anew: see [`Role`].
    Role(Role),
    /// The field or element that was entered last ends.
    Leave,
    /// The next values belong to this part of a value, until one without a name: for archives that go by
    /// names where a value's parts have none of their own. No part of a path.
    Part(Option<&'static str>),
    /// A form that no byte says: see [`super::ArchiveExt::form`].
    Form {
        /// The name of the form.
        name: &'static str,
        /// Words for its numbers, from 0 on; further ones have no word.
        words: &'static [&'static str],
        /// Its number, 0 the usual one; `None` while it is not known.
        number: &'a Cell<Option<i64>>,
    },
    /// Facts that keys say where bytes say them otherwise; for archives that have keys.
    Keyed(Keyed<'a>),
    /// Bytes that are read or written from here on stay at hand until [`Step::Release`], in a stream as well: see
    /// [`ArchiveExt::holding`](super::ArchiveExt::holding).
    Hold,
    /// Ends what [`Step::Hold`] began.
    Release,
    /// So many bytes follow, whatever the values are: an archive that only counts them takes them in one step, and says
    /// so.
    Fixed {
        /// Bytes of all of them.
        bytes: u64,
        /// Set by an archive that has counted them: the values don't follow.
        is_counted: &'a Cell<bool>,
    },
    /// Asks for bytes that were read or written: see
    /// [`ArchiveExt::with_bytes`](super::ArchiveExt::with_bytes).
    Bytes {
        /// The first of them, from the start of the file.
        start: u64,
        /// Behind the last one.
        end: u64,
        /// Takes them, in their order.
        take: &'a dyn Fn(&[u8]),
        /// Set by an archive that has bytes, also where it does not have these.
        has_bytes: &'a Cell<bool>,
    },
}

/// What a value is for that says nothing by itself: saving makes it anew from the values around it, or the path
/// of another one says it. A number that saving writes as it was loaded has no role, though it may be called a
/// count or a size as well.
///
/// [`Role::Derived`] and [`Role::Identity`] are those of fields: they are announced in the field and before its
/// value, and all that the field holds has them. The others are announced behind their value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// How many elements follow.
    Count,
    /// How many characters follow, and in which encoding.
    Length,
    /// How many bytes something takes.
    Size,
    /// Where in the file something stands.
    Position,
    /// The end of a text or list, where it is the usual one: zero, or the name that means none.
    Terminator,
    /// The name that the values behind it are called by: the path of theirs says it.
    Key,
    /// The sum of other bytes: see [`checksum`](super::checksum).
    Checksum,
    /// Each save by the program that owns the format makes it anew, so that it only says which save this is, or what
    /// follows from the rest: times, builds, GUIDs of a save. A reader that edits may leave it as it was.
    Derived,
    /// The key of an element in its list, whose order says nothing.
    Identity,
}

impl Role {
    /// Whether it is that of a field with all that the field holds.
    #[inline]
    pub fn is_of_field(self) -> bool {
        matches!(self, Self::Derived | Self::Identity)
    }
}

/// Questions and facts for an archive that has keys, beside its values: keys say which fields there are, so that
/// bytes that say it otherwise can be left out.
#[derive(Clone, Copy)]
pub enum Keyed<'a> {
    /// Asks for the keys of the value that is loaded, but those that were read, and whether something stands
    /// there. An archive that saves and has keys answers with none of them, one without keys not at all.
    Keys(&'a Cell<Option<Vec<(String, bool)>>>),
    /// So many bytes follow from the keys and are passed over.
    Follows(u64),
    /// Nothing stands at this key: zero.
    Zero,
    /// A value without keys.
    Empty,
    /// The number that was serialised last counts elements, of which there are none.
    NoElements,
    /// What comes says the same as this text. An archive that writes it answers with some text, one that reads
    /// with the text that stands there; then no bytes follow but those that [`Keyed::Follows`] passes over.
    Text(&'a dyn fmt::Display, &'a Cell<Option<String>>),
    /// What comes says the same as this number, in fewer or more bytes than numbers have: `true` where an archive
    /// has written it, or has read another one into its place.
    Number(&'a Cell<i128>, &'a Cell<bool>),
    /// The next number is a truth value.
    Truth,
    /// The next values are whether there is one, `present`, and the `value` itself.
    Optional,
    /// The next values are the `discriminant` of a variant, which has one of these names, and its fields.
    Variant(&'a [(&'static str, i64)]),
    /// Asks how many elements, or bytes, follow where no number says it.
    Elements(&'a Cell<Option<usize>>),
    /// Asks whether a number is left out that follows from the values around it.
    Derived(&'a Cell<bool>),
}

impl fmt::Debug for Keyed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys(_) => f.write_str("Keys"),
            Self::Follows(length) => write!(f, "Follows({length})"),
            Self::Zero => f.write_str("Zero"),
            Self::Empty => f.write_str("Empty"),
            Self::NoElements => f.write_str("NoElements"),
            Self::Text(text, _) => write!(f, "Text({text})"),
            Self::Number(number, _) => write!(f, "Number({})", number.get()),
            Self::Truth => f.write_str("Truth"),
            Self::Optional => f.write_str("Optional"),
            Self::Variant(names) => write!(f, "Variant({names:?})"),
            Self::Elements(_) => f.write_str("Elements"),
            Self::Derived(_) => f.write_str("Derived"),
        }
    }
}

impl Step<'_> {
    /// The step as a path keeps it; `None` for those that enter nothing.
    pub fn entered(self, context: &Context) -> Option<PathStep> {
        Some(match self {
            Self::Field(name) => PathStep::Field(name),
            Self::Index(index) => PathStep::Index(index),
            Self::Name(name) => PathStep::Name(name.to_string().into()),
            Self::Row { space, row, number, index } => match (space.text)(context, row, number) {
                text if text.is_empty() => PathStep::Index(index),
                text => PathStep::Name(text.into()),
            },
            Self::Note(_) | Self::Meaning(_) | Self::Role(_) | Self::Leave => return None,
            Self::Part(_) | Self::Form { .. } | Self::Keyed(_) => return None,
            Self::Hold | Self::Release => return None,
            Self::Fixed { .. } | Self::Bytes { .. } => return None,
        })
    }
}

impl fmt::Debug for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, "Field({name})"),
            Self::Index(index) => write!(f, "Index({index})"),
            Self::Name(name) => write!(f, "Name({name})"),
            Self::Row { space, row, .. } => write!(f, "Row({} {row})", space.label),
            Self::Note(_) => f.write_str("Note"),
            Self::Meaning(text) => write!(f, "Meaning({text})"),
            Self::Role(role) => write!(f, "Role({role:?})"),
            Self::Leave => f.write_str("Leave"),
            Self::Part(name) => write!(f, "Part({name:?})"),
            Self::Form { name, number, .. } => write!(f, "Form({name} {:?})", number.get()),
            Self::Keyed(_) => f.write_str("Keyed"),
            Self::Hold => f.write_str("Hold"),
            Self::Release => f.write_str("Release"),
            Self::Fixed { bytes, .. } => write!(f, "Fixed({bytes})"),
            Self::Bytes { start, end, .. } => write!(f, "Bytes({start:#x}..{end:#x})"),
        }
    }
}

/// Runs `inner` inside the step of a field, for layouts that are written by hand.
///
/// # Errors
/// The errors of `inner`, with the field in their path.
#[inline]
pub fn in_field<A: Archive + ?Sized, R>(
    name: &'static str,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    ar.step(Step::Field(name));
    let result = inner(ar);
    ar.step(Step::Leave);
    result.map_err(|error| error.in_field(name))
}

/// Runs `inner` inside a part that has no name in the bytes: only archives that go by names see it.
///
/// # Errors
/// The errors of `inner`.
#[inline]
pub fn in_part<A: Archive + ?Sized, R>(
    name: &'static str,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    ar.step(Step::Part(Some(name)));
    let result = inner(ar);
    ar.step(Step::Part(None));
    result
}

/// Runs `inner` inside the step of an element, for layouts that are written by hand.
///
/// # Errors
/// The errors of `inner`, with the element in their path.
#[inline]
pub fn at_index<A: Archive + ?Sized, R>(
    index: usize,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    ar.step(Step::Index(index));
    let result = inner(ar);
    ar.step(Step::Leave);
    result.map_err(|error| error.at_index(index))
}
