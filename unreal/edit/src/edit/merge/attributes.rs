//! Fields of the export table's rows beside name and place.

use super::value::ThreeWay;
use crate::table::Export;

/// Merges fields one by one.
macro_rules! fields {
    ($three:ident, $base:ident, $ours:ident, $theirs:ident: $($field:ident,)*) => {
        $($three.whole(&$base.$field, &mut $ours.$field, &$theirs.$field, stringify!($field));)*
    };
}

impl ThreeWay<'_> {
    /// Merges two rows with one base into ours. Where bodies stand is none of it; names and places are merged as
    /// renamings are.
    pub fn exports(&mut self, base: &Export, ours: &mut Export, theirs: &Export) {
        fields! { self, base, ours, theirs:
            class_index, super_index, template_index, archetype_index, object_flags, forced_export,
            not_for_client, not_for_server, details, is_inherited_instance, package_flags,
            not_always_loaded_for_editor_game, is_asset, generate_public_hash,
        }
    }
}
