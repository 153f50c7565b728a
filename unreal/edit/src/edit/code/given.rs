//! Code and fields that a compiler above has made.

use super::AssembledCode;
use crate::edit::Edit;
use crate::error::Result;
use crate::object::Native;
use crate::primitive::{ObjectFlags, PackageIndex};
use crate::property::PropertyList;
use crate::script::ScriptItem;

impl Edit {
    /// Gives a function or state this code, whose rows are those of the package. Places in it that other objects know
    /// follow where the statement there is the same. `table` is where the table of labels lies, of a state.
    ///
    /// # Errors
    /// `Invalid` for an object without code, and where something refers to a statement that is another one now;
    /// `Refused` where something that is not decoded may.
    #[doc(hidden)]
    pub fn put_code(
        &mut self,
        row: usize,
        items: Vec<ScriptItem>,
        table: Option<u16>,
    ) -> Result<AssembledCode> {
        self.transact(|edit| {
            let (code, moved) = edit.set_code(row, items, table)?;
            if let Some(moved) = moved {
                edit.move_entries(row, &moved)?;
            }
            Ok(code)
        })
    }

    /// Adds a field to a function behind all other rows; that it comes into the chain is up to the caller, who may
    /// also remove one of the same name afterwards.
    ///
    /// # Errors
    /// As [`Edit::add_blank_object`], but for a name that is taken.
    #[doc(hidden)]
    pub fn add_field(
        &mut self,
        outer: PackageIndex,
        name: &str,
        class: &str,
        native: Native,
        flags: ObjectFlags,
    ) -> Result<usize> {
        self.transact(|edit| {
            let class = edit.class_of_new(class)?;
            let list = PropertyList::new(Vec::new(), edit.none_name());
            let row = edit.append_body(outer, name, class, list, native)?;
            edit.change_export(row, |export| export.object_flags = flags);
            Ok(row)
        })
    }
}
