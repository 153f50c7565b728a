//! Values of any type, without a strategy that is written by hand.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;

use super::maker::ValueMaker;
use super::numbers::LawNumbers;
use super::value::Tried;
use crate::archive::{Context, Loader, Saver};
use crate::version::Versions;

/// Choices that a value is made of; further ones are the smallest.
const CHOICES: usize = 96;
/// How often choices that come to nothing are replaced.
const ATTEMPTS: usize = 120;

/// A strategy of proptest for any type: the values that these versions have a place for, made up by the type's own
/// function, so that conditions, counts, sizes and magics fit together. They shrink. [`Laws`](super::Laws) tries them by
/// itself.
///
/// ```
/// use farchive::{Archived, Versions, testing, with};
/// use proptest::prelude::*;
///
/// #[derive(Archived, Debug, Clone, Default, PartialEq)]
/// #[archive(magic = b"IMG ")]
/// struct Image {
///     width: u8,
///     height: u8,
///     #[archive(count = width * height)]
///     pixels: Vec<u16>,
///     #[since(2)]
///     #[archive(with = with::text_u8)]
///     name: String,
/// }
///
/// proptest!(|(image in testing::values::<Image>(&Versions::own(1)))| {
///     prop_assert_eq!(image.pixels.len(), usize::from(image.width) * usize::from(image.height));
///     prop_assert_eq!(image.name, "");
/// });
/// ```
///
/// Checksums are right, since saving works them out. A type that refuses nearly all values, such as one whose
/// `after_load` looks for a rare number, has none here: proptest reports that too many were rejected.
pub fn values<T: Tried>(versions: &Versions) -> impl Strategy<Value = T> + use<T> {
    let versions = versions.clone();
    choices().prop_filter_map("no choices make a value", move |choices| {
        made(choices, &versions, &Context::nothing()).map(|(value, _)| value)
    })
}

/// The choices that values are made of.
pub(super) fn choices() -> impl Strategy<Value = Vec<u32>> {
    vec(any::<u32>(), 0..CHOICES)
}

/// The value that these choices make, and what its bytes would have been; `None` where they, and those that take the
/// place of wrong ones, make none.
pub(super) fn made<T: Tried>(
    mut choices: Vec<u32>,
    versions: &Versions,
    context: &Arc<Context>,
) -> Option<(T, Vec<u8>)> {
    let mut numbers = LawNumbers(
        choices.iter().fold(0x5eed, |sum: u64, choice| {
            sum.rotate_left(5).wrapping_add(u64::from(*choice)).wrapping_mul(0x9e37_79b9)
        }) | 1,
    );
    for attempt in 0..ATTEMPTS {
        let mut maker = ValueMaker::new(&choices, versions.clone(), context.clone());
        let mut value = T::default();
        let result = value.serialize(&mut maker);
        let (used, written) = (maker.made, maker.written);
        let settled = result.ok().and_then(|()| settled(value, versions, context));
        if let Some(settled) = settled {
            return Some((settled, written));
        }
        // What was wrong is one of the last choices, or a count above them.
        let back = 1 + numbers.next(3 + attempt / 4);
        let kept = used.saturating_sub(back);
        choices.resize(kept, 0);
        while choices.len() < CHOICES {
            choices.push(numbers.next(1 << 31) as u32);
        }
    }
    None
}

/// The value as it comes back, where saving works out what it has made up; `None` for one that can't be saved. One that
/// is saved and does not load is as it was: a law is broken.
fn settled<T: Tried>(mut value: T, versions: &Versions, context: &Arc<Context>) -> Option<T> {
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    value.serialize(&mut saver).ok()?;
    let bytes = saver.finish().ok()?;
    let mut loaded = T::default();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context.clone()).owning();
    match loaded.serialize(&mut loader) {
        Ok(()) => Some(loaded),
        Err(_) => Some(value),
    }
}
