//! Checksums over what is stored, and hashes of values.

use std::fmt::Debug;
use std::hash::Hasher;
use std::io;

use super::{Archive, ArchiveExt, Archived, Lend, Role, WriteSaver, in_field};
use crate::error::{Error, ErrorKind, Result};
use crate::version::Versions;

/// A sum over bytes, such as CRC-32, Adler-32 or SHA-1: implement it for the type of any crate.
///
/// ```
/// use farchive::archive::checksum::Checksum;
///
/// /// The sum of all bytes.
/// #[derive(Default)]
/// struct Sum(u32);
///
/// impl Checksum for Sum {
///     type Value = u32;
///
///     fn update(&mut self, bytes: &[u8]) {
///         self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add((*byte).into()));
///     }
///
///     fn value(&self) -> u32 {
///         self.0
///     }
/// }
/// ```
pub trait Checksum {
    /// The sum as it is stored: a number or an array of bytes.
    type Value: Archived + PartialEq + Debug;

    /// Takes the bytes that come next.
    fn update(&mut self, bytes: &[u8]);

    /// The sum of the bytes so far.
    fn value(&self) -> Self::Value;
}

/// Any [`Hasher`] as a checksum of eight bytes. That of the standard library may give other numbers in another release:
/// store those of one whose numbers are specified.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hashed<H>(pub H);

impl<H: Hasher> Checksum for Hashed<H> {
    type Value = u64;

    fn update(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn value(&self) -> u64 {
        self.0.finish()
    }
}

/// The checksum of the bytes that a value is stored as, without keeping them all: the archive that hashes.
///
/// # Errors
/// As [`to_bytes`](crate::to_bytes).
pub fn of<S: Checksum + Default>(value: impl Lend, versions: &Versions) -> Result<S::Value> {
    let mut saver = WriteSaver::new(Summing(S::default()), versions.clone());
    saver.put(value)?;
    let (sum, _) = saver.finish()?;
    Ok(sum.0.value())
}

/// A checksum as a writer: what is written to it is summed up. An archive over it, a [`WriteSaver`], hashes values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Summing<S>(pub S);

impl<S: Checksum> io::Write for Summing<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value, then the checksum of its bytes: made anew when saving, compared when loading.
///
/// ```
/// # use farchive::archive::checksum::{self, Checksum};
/// # use farchive::{Archive, Archived, Result, Versions, from_bytes, to_bytes};
/// # #[derive(Default)]
/// # struct Sum(u32);
/// # impl Checksum for Sum {
/// #     type Value = u32;
/// #     fn update(&mut self, bytes: &[u8]) {
/// #         self.0 += bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
/// #     }
/// #     fn value(&self) -> u32 { self.0 }
/// # }
/// #[derive(Archived, Debug, Default, PartialEq)]
/// struct File {
///     #[archive(with = checked)]
///     body: Vec<u8>,
/// }
///
/// fn checked<A: Archive + ?Sized>(body: &mut Vec<u8>, ar: &mut A) -> Result<()> {
///     checksum::behind::<Sum, A>(ar, |ar| body.serialize(ar))
/// }
///
/// let mut bytes = to_bytes(&mut File { body: vec![1, 2] }, &Versions::own(1))?;
/// assert_eq!(bytes, [2, 0, 0, 0, 1, 2, 5, 0, 0, 0]);
/// bytes[4] = 9;
/// let error = from_bytes::<File>(&bytes, &Versions::own(1)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "body.checksum at 0x6 (version 1): the checksum is 5, that of the bytes 0x0 to 0x6 is 13"
/// );
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Errors
/// `Invalid` where the checksum is that of other bytes, or a stream has passed them on; those of `inner`.
pub fn behind<S: Checksum + Default, A: Archive + ?Sized>(
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<()>,
) -> Result<()>
where
    S::Value: Default,
{
    ar.holding(|ar| {
        let start = ar.position();
        inner(ar)?;
        let end = ar.position();
        over::<S, A>(ar, start, end)
    })
}

/// The checksum of a value, then the value: it is put there when the value has been saved.
///
/// # Errors
/// As [`behind`].
pub fn before<S: Checksum + Default, A: Archive + ?Sized>(
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<()>,
) -> Result<()>
where
    S::Value: Default,
{
    if left_out::<S, A>(ar)? {
        return inner(ar);
    }
    ar.holding(|ar| {
        let (at, mut stored) = (ar.position(), S::Value::default());
        in_field("checksum", ar, |ar| stored.serialize(ar))?;
        ar.role(Role::Checksum);
        let start = ar.position();
        inner(ar)?;
        let end = ar.position();
        in_field("checksum", ar, |ar| match sum::<S, A>(ar, start, end)? {
            None => Ok(()),
            Some(sum) if ar.is_loading() => compare(&stored, &sum, (at, start, end), ar),
            Some(mut sum) => {
                let mut bytes = super::Saver::new(ar.versions().clone());
                sum.serialize(&mut bytes)?;
                ar.patch(at, super::Patch::Bytes(bytes.bytes()))
            }
        })
    })
}

/// The checksum of the bytes from `start` to `end` bytes from the start of the file, here: for those that begin before
/// the value that has the checksum, such as all of the file so far.
///
/// A stream must still have them: see [`ArchiveExt::holding`].
///
/// # Errors
/// As [`behind`].
pub fn over<S: Checksum + Default, A: Archive + ?Sized>(
    ar: &mut A,
    start: u64,
    end: u64,
) -> Result<()>
where
    S::Value: Default,
{
    if left_out::<S, A>(ar)? {
        return Ok(());
    }
    in_field("checksum", ar, |ar| {
        let at = ar.position();
        let sum = sum::<S, A>(ar, start, end)?;
        if ar.is_loading() {
            let mut stored = S::Value::default();
            stored.serialize(ar)?;
            return sum.map_or(Ok(()), |sum| compare(&stored, &sum, (at, start, end), ar));
        }
        sum.unwrap_or_default().serialize(ar)?;
        ar.role(Role::Checksum);
        Ok(())
    })
}

/// Whether the archive has no checksum, as a document for people, which passes over the bytes that it would take.
fn left_out<S: Checksum, A: Archive + ?Sized>(ar: &mut A) -> Result<bool>
where
    S::Value: Default,
{
    let is_left_out = ar.leaves_out_derived();
    if is_left_out {
        let mut counter = super::Counter::new(ar.versions().clone());
        S::Value::default().serialize(&mut counter)?;
        ar.step(super::Step::Keyed(super::Keyed::Follows(counter.length())));
    }
    Ok(is_left_out)
}

/// The sum of bytes; `None` of an archive that has no bytes.
fn sum<S: Checksum + Default, A: Archive + ?Sized>(
    ar: &mut A,
    start: u64,
    end: u64,
) -> Result<Option<S::Value>> {
    let mut sum = S::default();
    let is_there = ar.with_bytes(start, end, &mut |bytes| sum.update(bytes))?;
    Ok(is_there.then(|| sum.value()))
}

/// Compares the checksum at `at` with that of the bytes.
fn compare<V: PartialEq + Debug, A: Archive + ?Sized>(
    stored: &V,
    sum: &V,
    (at, start, end): (u64, u64, u64),
    ar: &A,
) -> Result<()> {
    if stored == sum {
        return Ok(());
    }
    let reason =
        format!("the checksum is {stored:?}, that of the bytes {start:#x} to {end:#x} is {sum:?}");
    Err(Error::new(ErrorKind::Invalid { reason }, at, ar.versions()))
}
