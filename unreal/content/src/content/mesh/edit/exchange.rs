//! Bodies of objects that take the place of others.

use crate::archive::Object;
use crate::edit::Edit;
use crate::error::Result;
use crate::package::decode::native_as_mut;

/// Gives an object another body of the same kind.
pub(super) fn exchange<T: Object>(edit: &mut Edit, row: usize, stored: T) -> Result<()> {
    edit.change_body(row, |body| {
        if let Some(mesh) = native_as_mut::<T>(body) {
            *mesh = stored;
        }
        Ok(())
    })
}
