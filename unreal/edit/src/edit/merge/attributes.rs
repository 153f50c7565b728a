//! Fields of the export table's rows beside name and place.

use super::objects::GONE;
use super::value::ThreeWay;
use crate::table::{ComponentEntry, Export};

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
            not_for_client, not_for_server, is_inherited_instance, package_flags,
            not_always_loaded_for_editor_game, is_asset, generate_public_hash,
        }
        if base.details == theirs.details || ours.details == theirs.details {
            return;
        }
        let (base, ours, theirs) = (&base.details, &mut *ours.details, &theirs.details);
        fields! { self, base, ours, theirs:
            export_flags, generation_net_object_count, package_guid,
        }
        self.components(&base.component_map, &mut ours.component_map, &theirs.component_map);
    }

    /// Merges the lists of components: each has a name of its own, and one that our side has removed is in none.
    fn components(
        &mut self,
        base: &[ComponentEntry],
        ours: &mut Vec<ComponentEntry>,
        theirs: &[ComponentEntry],
    ) {
        let is_there = |entry: &&ComponentEntry| entry.export.value() < GONE;
        let theirs: Vec<ComponentEntry> = theirs.iter().filter(is_there).copied().collect();
        let base: Vec<ComponentEntry> = base.iter().filter(is_there).copied().collect();
        self.keyed(
            (&base, ours, &theirs),
            "component_map",
            |entry| entry.export.value(),
            |_, entry| format!("{:?}", entry.export),
            |three, base, ours, theirs, place| {
                three.whole(&base.name, &mut ours.name, &theirs.name, place);
            },
        );
    }
}
