//! Values of a stream, one behind the other.

use std::io::Read;
use std::marker::PhantomData;

use super::read::ReadLoader;
use crate::archive::Archived;
use crate::error::Result;

/// The values of a stream, up to its end: [`ReadLoader::values`].
///
/// Each of them may claim as much memory as if it were alone. Behind an error there are no more.
#[derive(Debug)]
pub struct StreamValues<'a, R, T> {
    loader: &'a mut ReadLoader<R>,
    is_done: bool,
    value: PhantomData<fn() -> T>,
}

impl<'a, R: Read, T: Archived + Default> StreamValues<'a, R, T> {
    pub(super) fn of(loader: &'a mut ReadLoader<R>) -> Self {
        Self { loader, is_done: false, value: PhantomData }
    }
}

impl<R: Read, T: Archived + Default> Iterator for StreamValues<'_, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.is_done {
            return None;
        }
        let next = self.loader.next_value();
        self.is_done = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}
