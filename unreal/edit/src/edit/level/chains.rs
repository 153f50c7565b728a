//! Chains of a level's actors: each knows the next one, and the level or its settings know the first
//! (spec: ue1-3/06 §6.2, 11 §11.5).
//!
//! What is not stored is null: the last one of a chain stores nothing.

use std::collections::{HashMap, HashSet};

use crate::edit::Edit;
use crate::edit::chain::Chain;
use crate::object::{Body, ue3, ue4};
use crate::package::decode::native_as_mut;
use crate::primitive::PackageIndex;
use crate::property::{Property, Value};
use crate::version::UnrealVersions;

/// The property of the level's settings that knows the first of a chain, if they do, and that of its actors
/// which knows the next one.
const CHAINS: &[(&str, &str)] = &[
    ("NavigationPointList", NAVIGATION_POINTS),
    ("PawnList", "nextPawn"),
    ("ControllerList", "nextController"),
    ("", COVERS),
    ("", PYLONS),
];
const NAVIGATION_POINTS: &str = "nextNavigationPoint";
const COVERS: &str = "NextCoverLink";
const PYLONS: &str = "NextPylon";

/// The name of the properties that are looked for.
struct Called<'a> {
    text: &'a str,
    /// The row of the name, where the package has it.
    row: Option<i32>,
}

impl Called<'_> {
    fn is(&self, property: &Property) -> bool {
        match property.name() {
            Some(name) => name.number == 0 && self.row == Some(name.index.value()),
            // Lists without tags know their names as text.
            None => property.name_text(|_| String::new()).eq_ignore_ascii_case(self.text),
        }
    }
}

impl Edit {
    /// Closes the chains of actors over those that go; `users` are the bodies that refer to them.
    pub(in crate::edit) fn close_actor_chains(&mut self, users: &[usize], gone: &HashSet<usize>) {
        if users.is_empty() {
            return;
        }
        for (head, link) in CHAINS {
            let [head, called] = [head, link].map(|text| Called {
                text,
                row: self.look_up_name(text).and_then(|row| i32::try_from(row).ok()),
            });
            if called.row.is_none() && !self.versions().unversioned_properties() {
                continue;
            }
            let chain = Chain::new(gone, self.links_of(&called));
            let leads = |property: &Property| {
                matches!(property.value(), Value::Object(index) if chain.is_gone(*index))
                    && (head.is(property) || called.is(property))
            };
            let has = |body: &Body| body.lists().any(|list| list.properties.iter().any(leads));
            for &row in users {
                if !self.bodies().decoded.get(&row).is_some_and(|decoded| has(&decoded.body)) {
                    continue;
                }
                let Some(decoded) = self.decoded_mut(row) else { continue };
                for list in decoded.body.lists_mut() {
                    list.properties.retain_mut(|property| {
                        if !leads(property) {
                            return true;
                        }
                        let Value::Object(index) = property.value_mut() else { return true };
                        *index = chain.skip(*index);
                        !index.is_null()
                    });
                }
            }
            for level in self.levels() {
                if users.contains(&level)
                    && let Some(decoded) = self.decoded_mut(level)
                {
                    close_in_level(&mut decoded.body, link, &chain);
                }
            }
        }
    }

    /// The object behind each one, as its property says it.
    fn links_of(&mut self, called: &Called<'_>) -> HashMap<PackageIndex, PackageIndex> {
        let rows: Vec<usize> = match called.row {
            Some(name) if !self.versions().unversioned_properties() => {
                self.package.body_uses().users_of_names([name])
            }
            _ => self.bodies().decoded.keys().collect(),
        };
        let mut next = HashMap::new();
        for row in rows {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            for property in decoded.body.lists().flat_map(|list| &list.properties) {
                if let Value::Object(index) = property.value()
                    && called.is(property)
                {
                    next.insert(PackageIndex::export(row), *index);
                }
            }
        }
        next
    }
}

/// The ends that a level of UE3 or later knows itself.
fn close_in_level(body: &mut Body, link: &str, chain: &Chain<'_>) {
    if let Some(level) = native_as_mut::<ue3::world::level::Level>(body) {
        let [first, last] = match link {
            NAVIGATION_POINTS => &mut level.navigation_points,
            COVERS => &mut level.covers,
            PYLONS => &mut level.pylons,
            _ => return,
        };
        chain.close_ends([first, last]);
    } else if let Some(level) = native_as_mut::<ue4::world::level::Level>(body)
        && link == NAVIGATION_POINTS
    {
        chain.close_ends([&mut level.nav_list_start, &mut level.nav_list_end]);
    }
}
