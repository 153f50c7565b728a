//! Values from text: the value that is replaced, or an empty one of the type, decides the form.

mod container;
mod enumeration;
mod structure;
mod value;
mod word;

pub(super) use container::{element_blank, element_type, read_key, same_key, sample_pair, samples};
pub(super) use enumeration::same_value;
pub(super) use value::{Old, read_change};

use value::{read, read_whole};
