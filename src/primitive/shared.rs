//! Lists that others hold as well.

use super::array::{claim_saved, deeper, serialize_list_count};
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, at_index};
use crate::error::{Error, Result};

/// A list that is only looked at, stored as a [`Vec`] of its elements: saving it copies one element at a time, into one
/// place, so that texts and lists within elements take no new memory either.
///
/// ```
/// use farchive::primitive::Shared;
/// use farchive::{Versions, from_bytes, to_bytes};
///
/// let names: std::sync::Arc<[String]> = vec!["Ann".to_owned(), "Bob".to_owned()].into();
/// let bytes = to_bytes(&mut Shared(&names), &Versions::own(1))?;
/// assert_eq!(from_bytes::<Vec<String>>(&bytes, &Versions::own(1))?, *names);
/// # Ok::<(), farchive::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shared<'a, T>(pub &'a [T]);

impl<T: Archived + Clone + Default> Archived for Shared<'_, T> {
    const NESTS: bool = T::NESTS;
    const LAYOUT: &'static Layout = <Vec<T> as Archived>::LAYOUT;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            return Err(Error::invalid(
                "a list that is only looked at can't be loaded: load a Vec",
            ));
        }
        let count = serialize_list_count(self.0.len(), ar)?;
        let mut copy = T::default();
        deeper::<T, A, _>(ar, |ar| {
            for (index, element) in self.0.iter().enumerate() {
                at_index(index, ar, |ar| element.save_lent(&mut copy, ar))?;
            }
            Ok(())
        })?;
        claim_saved::<T, A>(count, ar)
    }
}
