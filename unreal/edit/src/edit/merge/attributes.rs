//! Fields of the export table's rows beside name and place.

use std::collections::{HashMap, HashSet};

use super::conflict::MergeConflict;
use super::objects::GONE;
use super::value::ThreeWay;
use crate::primitive::Name;
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

    /// Merges the lists of components: each has a name of its own, and one that our side has removed is in none. Where
    /// both sides list components of one name, that is a conflict.
    fn components(
        &mut self,
        base: &[ComponentEntry],
        ours: &mut Vec<ComponentEntry>,
        theirs: &[ComponentEntry],
    ) {
        let is_there = |entry: &&ComponentEntry| entry.export.value() < GONE;
        let theirs: Vec<ComponentEntry> = theirs.iter().filter(is_there).copied().collect();
        let base: Vec<ComponentEntry> = base.iter().filter(is_there).copied().collect();
        let mine = ours.clone();
        self.keyed(
            (&base, ours, &theirs),
            "component_map",
            |entry| entry.export.value(),
            |_, entry| format!("{:?}", entry.export),
            |three, base, ours, theirs, place| {
                three.whole(&base.name, &mut ours.name, &theirs.name, place);
            },
        );
        self.part_components(&mine, ours);
    }

    /// Parts components that have come from their side from those of our side that have the same names; `mine` is the
    /// list that our side had.
    fn part_components(&mut self, mine: &[ComponentEntry], merged: &mut Vec<ComponentEntry>) {
        let mine: HashSet<(i32, Name)> = mine.iter().map(entry_key).collect();
        let is_mine = |entry: &ComponentEntry| mine.contains(&entry_key(entry));
        let named = merged.iter().filter(|entry| is_mine(entry));
        let mut named: HashMap<Name, ComponentEntry> =
            named.map(|entry| (entry.name, *entry)).collect();
        let theirs: Vec<ComponentEntry> =
            merged.iter().filter(|entry| !is_mine(entry)).copied().collect();
        let mut gone: HashSet<(i32, Name)> = HashSet::new();
        for entry in theirs {
            let Some(known) = named.get(&entry.name).copied() else { continue };
            let conflict = MergeConflict {
                object: self.object.clone(),
                place: format!("component_map.{}", self.edit.name_text(entry.name)),
                ours: Some(self.edit.path(known.export)),
                theirs: Some(self.edit.path(entry.export)),
                reason: "both sides list a component by this name".to_owned(),
            };
            let loser = match self.conflicts.takes_theirs(conflict) {
                true => named.insert(entry.name, entry).unwrap_or(known),
                false => entry,
            };
            gone.insert(entry_key(&loser));
        }
        merged.retain(|entry| !gone.contains(&entry_key(entry)));
    }
}

/// The component and its name: an entry of a list.
fn entry_key(entry: &ComponentEntry) -> (i32, Name) {
    (entry.export.value(), entry.name)
}
