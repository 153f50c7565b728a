//! How a value gets to an archive.

use super::Archived;

/// A value that is saved, counted or looked at: `&mut T` itself, or `&T`, of which a copy is used.
///
/// A type has one function, and since that one loads as well it takes `&mut`. So what is at hand as `&mut` is saved
/// where it stands, and left as it was; what is shared can't be, without a second function that could say something
/// else. A copy costs what `Clone` costs. A long list that is shared is [`Shared`](crate::primitive::Shared), which copies one element at a time.
///
/// ```
/// use farchive::{Versions, to_bytes};
///
/// let mut numbers = vec![1_u16, 2];
/// let bytes = to_bytes(&mut numbers, &Versions::own(1))?;
/// assert_eq!(to_bytes(&numbers, &Versions::own(1))?, bytes);
/// # Ok::<(), farchive::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be saved",
    note = "give `&mut value`, or `&value` of a type that is `Clone`; the type needs `#[derive(Archived)]`"
)]
pub trait Lend {
    /// The type whose function is called.
    type Value: Archived;

    /// Runs `inner` on the value.
    fn lend<R>(self, inner: impl FnOnce(&mut Self::Value) -> R) -> R;
}

impl<T: Archived> Lend for &mut T {
    type Value = T;

    #[inline]
    fn lend<R>(self, inner: impl FnOnce(&mut T) -> R) -> R {
        inner(self)
    }
}

impl<T: Archived + Clone> Lend for &T {
    type Value = T;

    #[inline]
    fn lend<R>(self, inner: impl FnOnce(&mut T) -> R) -> R {
        inner(&mut self.clone())
    }
}
