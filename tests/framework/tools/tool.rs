//! A program that reads files by what is printed from layouts.

use farchive::archive::Layout;
use farchive::{Archived, Explained, Versions, explain};

/// What is printed for it, and whether it reads by that what the library does.
#[derive(Clone, Copy)]
pub struct Tool {
    pub print: fn(&'static Layout, &Versions) -> String,
    pub reads_the_same: fn(&str, &str, &Explained, &[u8]),
}

impl Tool {
    /// Both see values at the same places, up to the last byte, and the same values.
    #[track_caller]
    pub fn reads<T: Archived + Default>(self, name: &str, bytes: &[u8], versions: &Versions) {
        let printed = (self.print)(T::LAYOUT, versions);
        (self.reads_the_same)(name, &printed, &explain::<T>(bytes, versions), bytes);
    }
}
