//! Bodies of objects that take the place of others.

use crate::archive::Object;
use crate::content::values::typed_mut;
use crate::edit::Edit;
use crate::error::Result;

/// Gives an object another body of the same kind.
pub(super) fn exchange<T: Object>(edit: &mut Edit, row: usize, stored: T) -> Result<()> {
    edit.change_body(row, |body| {
        *typed_mut::<T>(body)? = stored;
        Ok(())
    })
}
