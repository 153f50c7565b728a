//! Names of classes of properties.

use crate::archive::Context;
use crate::primitive::{Name, NameContext};

/// Whether a name can be that of an unknown class of properties: its tag says how many bytes the value has,
/// so that it costs one value and not the list.
pub(super) fn is_class_name(name: &Name, context: &Context) -> bool {
    const END: &str = "Property";
    let text = context.name_text(name).unwrap_or_default();
    let head = text.len().checked_sub(END.len());
    head.is_some_and(|head| head > 0 && text.get(head..).is_some_and(|end| end == END))
}
