//! Functions that the derive's code calls; not for use by hand.

use super::layout::Shape;
use super::{Archive, ArchiveExt, Archived, Direction, Keyed, Step, Tagged, in_field};
use crate::error::{Error, ErrorKind, Result};

/// A field that this version lacks: `Default` on load, refused on save unless it is `Default`.
///
/// # Errors
/// `NotInVersion`.
#[inline(always)]
pub fn absent<T: Default + PartialEq, A: Archive + ?Sized>(
    value: &mut T,
    ar: &mut A,
    field: &'static str,
) -> Result<()> {
    absent_as(value, T::default, ar, field)
}

/// The same where such a version makes another value of the field than `Default`.
///
/// # Errors
/// `NotInVersion`.
#[inline(always)]
pub fn absent_as<T: PartialEq, A: Archive + ?Sized>(
    value: &mut T,
    default: impl FnOnce() -> T,
    ar: &mut A,
    field: &'static str,
) -> Result<()> {
    match ar.direction() {
        Direction::Loading => {
            *value = default();
            Ok(())
        }
        Direction::Saving if *value != default() => {
            Err(ar.error(ErrorKind::NotInVersion).in_field(field))
        }
        _ => Ok(()),
    }
}

/// A field whose type was another one in this version.
///
/// # Errors
/// `NotInVersion` when saving what that type can't say; those of the earlier type.
pub fn was<T, O: Archived + Default, A: Archive + ?Sized>(
    value: &mut T,
    from: impl FnOnce(O) -> T,
    to: impl FnOnce(&T) -> Option<O>,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        let mut earlier = O::default();
        earlier.serialize(ar)?;
        *value = from(earlier);
        return Ok(());
    }
    match to(value) {
        Some(mut earlier) => earlier.serialize(ar),
        None => Err(ar.error(ErrorKind::NotInVersion)),
    }
}

/// Whether values are neither read nor written.
#[inline(always)]
pub fn is_visiting<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.direction() == Direction::Visiting
}

/// The number that saving computes for a field, in the field's type.
///
/// # Errors
/// `Invalid` where it does not fit.
#[inline]
pub fn computed<T: TryFrom<V>, V, A: Archive + ?Sized>(value: V, ar: &A) -> Result<T> {
    T::try_from(value).map_err(|_| {
        let reason = "what saving works out for it does not fit its type".to_owned();
        ar.error(ErrorKind::Invalid { reason })
    })
}

/// An enum whose tag stands in another field; where saving works that field out, it says nothing yet.
///
/// # Errors
/// `Invalid` where the tag is another one than the value's; those of the value.
#[inline]
pub fn tagged<T: Tagged, A: Archive + ?Sized>(
    value: &mut T,
    tag: impl Into<i128>,
    is_computed: bool,
    ar: &mut A,
) -> Result<()> {
    let tag = tag.into();
    if ar.is_loading() {
        let tag = T::Tag::try_from(tag).map_err(|_| other_tag(ar, tag, None))?;
        return value.serialize_tagged(tag, ar);
    }
    let own = value.tag();
    if !is_computed && own.into() != tag {
        return Err(other_tag(ar, tag, Some(own.into())));
    }
    value.serialize_tagged(own, ar)
}

#[cold]
#[inline(never)]
fn other_tag<A: Archive + ?Sized>(ar: &A, tag: i128, own: Option<i128>) -> Error {
    let reason = match own {
        Some(own) => format!("its tag says {tag}, that of the value is {own}"),
        None => format!("no variant has the tag {tag}"),
    };
    ar.error(ErrorKind::Invalid { reason })
}

/// A kept tag that is being saved, but would be loaded as the variant that has it.
#[cold]
#[inline(never)]
pub fn tag_is_known<A: Archive + ?Sized>(ar: &A, tag: i64, variant: &'static str) -> Error {
    let reason =
        format!("{tag} is kept as an unknown tag, but it is that of the variant {variant}");
    ar.error(ErrorKind::Invalid { reason })
}

/// The fields of a value of which a prepared copy is saved.
pub trait PreparedFields {
    /// As [`Archived::serialize`].
    ///
    /// # Errors
    /// Whatever the archive reports.
    fn serialize_fields<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()>;
}

/// A field in an expression that works out a count or tag: in a number that does not overflow, whatever a file says.
#[inline]
pub fn wide(number: impl Into<i128>) -> Wide {
    Wide(number.into())
}

/// A number of an expression: sums and products stop at the ends of its range, and dividing by zero gives zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wide(i128);

impl From<Wide> for i128 {
    fn from(wide: Wide) -> Self {
        wide.0
    }
}

impl std::ops::Deref for Wide {
    type Target = i128;

    fn deref(&self) -> &i128 {
        &self.0
    }
}

macro_rules! operators {
    ($($trait:ident $function:ident $apply:expr;)*) => { $(
        impl std::ops::$trait for Wide {
            type Output = Self;

            fn $function(self, other: Self) -> Self {
                let apply: fn(i128, i128) -> i128 = $apply;
                Self(apply(self.0, other.0))
            }
        }

        impl std::ops::$trait<i128> for Wide {
            type Output = Self;

            fn $function(self, other: i128) -> Self {
                std::ops::$trait::$function(self, Self(other))
            }
        }

        impl std::ops::$trait<Wide> for i128 {
            type Output = Wide;

            fn $function(self, other: Wide) -> Wide {
                std::ops::$trait::$function(Wide(self), other)
            }
        }
    )* };
}
operators! {
    Add add i128::saturating_add;
    Sub sub i128::saturating_sub;
    Mul mul i128::saturating_mul;
    Div div |one, other| one.checked_div(other).unwrap_or(0);
    Rem rem |one, other| one.checked_rem(other).unwrap_or(0);
}

/// The bytes that stand before a value in every file.
///
/// # Errors
/// `BadMagic` when loading others.
pub fn magic<const N: usize, A: Archive + ?Sized>(bytes: &[u8; N], ar: &mut A) -> Result<()> {
    if ar.leaves_out_derived() {
        ar.step(Step::Keyed(Keyed::Follows(N as u64)));
        return Ok(());
    }
    in_field("magic", ar, |ar| {
        let (start, mut stored) = (ar.position(), *bytes);
        ar.serialize_bytes(&mut stored)?;
        if ar.is_loading() && stored != *bytes {
            let (wanted, found) = (bytes.to_vec(), stored.to_vec());
            return Err(ar.error_at(start, ErrorKind::BadMagic { wanted, found }));
        }
        Ok(())
    })
}

/// A field that a function of its own serialises, one level deeper where its type may hold values of the type
/// that it stands in: the function may go through them by itself.
///
/// # Errors
/// `TooDeep`, or those of `inner`.
#[inline(always)]
pub fn within<A: Archive + ?Sized>(
    nests: bool,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<()>,
) -> Result<()> {
    if nests { ar.nested(inner) } else { inner(ar) }
}

/// A number that this version stores in fewer bits than the type has; one that does not fit is an
/// error, never cut.
///
/// # Errors
/// `OutOfRange` when saving.
pub fn narrow<W, N, A>(
    value: &mut W,
    ar: &mut A,
    serialize: impl FnOnce(&mut A, &mut N) -> Result<()>,
) -> Result<()>
where
    W: Copy + TryInto<N> + From<N> + Into<i128>,
    N: Default,
    A: Archive + ?Sized,
{
    let fitting = (*value).try_into();
    if ar.is_saving() && fitting.is_err() {
        let bits = size_of::<N>() as u32 * 8;
        return Err(ar.error(ErrorKind::OutOfRange { value: (*value).into(), bits }));
    }
    let mut stored = fitting.unwrap_or_default();
    serialize(ar, &mut stored)?;
    if ar.is_loading() {
        *value = stored.into();
    }
    Ok(())
}

/// A field was loaded, or left out, by a condition that the fields behind it have changed.
#[cold]
#[inline(never)]
pub fn depends_on_later<A: Archive + ?Sized>(ar: &A, field: &'static str) -> Error {
    let reason = "its condition depends on a field that stands behind it".to_owned();
    ar.error(ErrorKind::Invalid { reason }).in_field(field)
}

/// A discriminant that no variant has, or none of this version; it takes `size` bytes.
#[cold]
#[inline(never)]
pub fn unknown_variant<T: Archived + ?Sized, A: Archive + ?Sized>(
    ar: &A,
    value: i64,
    type_name: &'static str,
    size: usize,
) -> Error {
    let start = ar.position().saturating_sub(size as u64);
    let variants = match T::LAYOUT.shape {
        Shape::Enum { variants, .. } => variants,
        _ => &[],
    };
    // Of another version: several may share a number, each in versions of its own.
    let kind =
        match variants.iter().find(|it| it.value == value && !it.is_other && !it.bounds.is_empty())
        {
            Some(it) => {
                let bounds: Vec<_> = it.bounds.iter().map(ToString::to_string).collect();
                let bounds = bounds.join(" and ");
                ErrorKind::VariantNotInVersion { value, type_name, variant: it.name, bounds }
            }
            None => ErrorKind::UnknownVariant { value, type_name },
        };
    ar.error_at(start, kind)
}

/// A variant that this version lacks is being saved.
#[cold]
#[inline(never)]
pub fn variant_not_in_version<A: Archive + ?Sized>(ar: &A) -> Error {
    ar.error(ErrorKind::NotInVersion)
}
