//! The number of the version, in the file itself.

use std::ops::RangeInclusive;

use crate::archive::{Archive, ArchiveExt};
use crate::error::{Error, ErrorKind, Result};
use crate::version::Axis;

#[cold]
#[inline(never)]
fn unknown<A: Archive + ?Sized>(
    number: u32,
    known: &RangeInclusive<u32>,
    start: u64,
    advice: &str,
    ar: &A,
) -> Error {
    let (first, last) = (known.start(), known.end());
    let reason = format!("version {number} is not known, only {first} to {last}: {advice}");
    ar.error_at(start, ErrorKind::Invalid { reason })
}

macro_rules! versions {
    ($($name:ident $type:ident $words:literal;)*) => { paste::paste! { $(
        #[doc = concat!("The version of the file, in ", $words, ": of all that follows.")]
        ///
        /// Loading, the archive goes on with the version that stands there, which must be one of `known`; the other axes and the
        /// byte order stay. Saving, it is the one that the archive has, which must be known as well: what is saved can be
        /// loaded.
        ///
        /// # Errors
        /// `Invalid` for a version that is not known; `OutOfRange` when saving one that the width has no room for.
        pub fn $name<A: Archive + ?Sized>(
            _: &mut (),
            known: RangeInclusive<u32>,
            ar: &mut A,
        ) -> Result<()> {
            let (start, number) = (ar.position(), ar.versions().number());
            let stored = $type::try_from(number);
            if ar.is_saving() && stored.is_err() {
                return Err(ar.error(ErrorKind::OutOfRange { value: number.into(), bits: $type::BITS }));
            }
            if ar.is_saving() && !known.contains(&number) {
                let advice = "give one of these to what saves it";
                return Err(unknown(number, &known, start, advice, ar));
            }
            let mut stored = stored.unwrap_or_default();
            ar.[<serialize_ $type>](&mut stored)?;
            ar.note(&"version of the file");
            if ar.is_loading() {
                let number = u32::from(stored);
                if !known.contains(&number) {
                    let advice = "a later program has written it, or it is no such file";
                    return Err(unknown(number, &known, start, advice, ar));
                }
                let versions = ar.versions().clone().with(Axis::FIRST, number);
                ar.set_versions(versions);
            }
            Ok(())
        }
    )* } };
}
versions! {
    version_u8 u8 "one byte";
    version_u16 u16 "two bytes";
    version_u32 u32 "four bytes";
}
