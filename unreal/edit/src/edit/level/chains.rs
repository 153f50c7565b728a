//! Chains of a level's actors: each knows the next one, and the level or its settings know the first
//! (spec: ue1-3/06 §6.2, 11 §11.5).
//!
//! A link that is not stored is null: the last one of a chain stores nothing.

use std::collections::{HashMap, HashSet};

use crate::edit::Edit;
use crate::edit::chain::Chain;
use crate::error::Result;
use crate::inspect::PackageValues;
use crate::object::{Body, ue3, ue4};
use crate::package::decode::native_as_mut;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Property, Type, Value};
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
/// The classes whose actors stand in a chain from the moment at which they are placed, with its properties.
const CHAINED: &[(&str, &str, &str)] = &[
    ("NavigationPoint", "NavigationPointList", NAVIGATION_POINTS),
    ("CoverLink", "", COVERS),
    ("Pylon", "", PYLONS),
];
const NAVIGATION_POINTS: &str = "nextNavigationPoint";
const COVERS: &str = "NextCoverLink";
const PYLONS: &str = "NextPylon";

/// The properties of all chains.
pub(in crate::edit) fn links() -> impl Iterator<Item = &'static str> {
    CHAINS.iter().flat_map(|&(head, link)| [head, link]).filter(|name| !name.is_empty())
}

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
            let [head, called] = self.called([head, link]);
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

    /// Puts the copy of an actor behind its original into the chains that this one is in; the copy says what stands
    /// behind it as the original did.
    pub(in crate::edit) fn chain_copy(
        &mut self,
        old: usize,
        new: usize,
        copies: &HashMap<usize, usize>,
    ) -> Result<()> {
        let [before, after] = [old, new].map(PackageIndex::export);
        let users = self.package.body_uses().users([before]);
        for (head, link) in CHAINS {
            let [head, called] = self.called([head, link]);
            let leads = |property: &Property| {
                matches!(property.value(), Value::Object(index) if *index == before)
                    && (head.is(property) || called.is(property))
            };
            let has_link = |property: &Property| called.is(property);
            let body = |row: &usize| Some(&self.bodies().decoded.get(row)?.body);
            let any = |body: &Body, is: &dyn Fn(&Property) -> bool| {
                body.lists().any(|list| list.properties.iter().any(is))
            };
            let is_in = body(&old).is_some_and(|body| any(body, &has_link))
                || users.iter().filter_map(body).any(|body| any(body, &leads));
            let levels = self.levels();
            let mut is_end = false;
            for level in levels {
                let Some(decoded) = self.bodies().decoded.get(&level) else { continue };
                let mut body = decoded.body.clone();
                let ends = ends_in_level(&mut body, link);
                if ends.is_some_and(|[_, last]| *last == before)
                    && let Some(decoded) = self.decoded_mut(level)
                    && let Some([_, last]) = ends_in_level(&mut decoded.body, link)
                {
                    *last = after;
                    is_end = true;
                }
            }
            if !is_in && !is_end {
                continue;
            }
            // Of several copies each stands behind its original: what this one leads to is no copy.
            let next = self.values().property(&format!("#{new}"), link).ok();
            let next = next.and_then(|next| match next.value {
                Some(Value::Object(index)) => Some(index),
                _ => None,
            });
            let original = next.and_then(|next| {
                let is_next = |copy: &usize| PackageIndex::export(*copy) == next;
                copies.iter().find(|(_, copy)| is_next(copy)).map(|(original, _)| *original)
            });
            if let Some(original) = original {
                self.set_link(new, link, original)?;
            }
            self.set_link(old, link, new)?;
        }
        Ok(())
    }

    /// Puts an actor that is new in a level into the chains of its kind: in UE1 and UE2 in front, in UE3 behind all
    /// others, as the editor does.
    pub(in crate::edit) fn chain_new(&mut self, level: usize, row: usize) -> Result<()> {
        let line = self.class_line(row);
        let is = |class: &str| line.iter().any(|known| known.eq_ignore_ascii_case(class));
        let this = PackageIndex::export(row);
        for (class, head, link) in CHAINED {
            if !is(class) {
                continue;
            }
            let mut ends = None;
            if let Some(decoded) = self.decoded_mut(level)
                && let Some([first, last]) = ends_in_level(&mut decoded.body, link)
            {
                ends = Some(*last);
                *last = this;
                if first.is_null() {
                    *first = this;
                }
            }
            match (ends.map(PackageIndex::target), self.fixtures(level)[0]) {
                (Some(ObjectRef::Export(last)), _) => self.set_link(last, link, row)?,
                (Some(_), _) => {}
                (None, Some(settings)) if !head.is_empty() && self.actors_stand_beside() => {
                    let first = self.values().property(&format!("#{settings}"), head);
                    let first = first.ok().and_then(|first| self.find_export(&first.text).ok());
                    if let Some(first) = first {
                        self.set_link(row, link, first)?;
                    }
                    self.set_link(settings, head, row)?;
                }
                (None, _) => {}
            }
        }
        Ok(())
    }

    fn set_link(&mut self, from: usize, link: &str, to: usize) -> Result<()> {
        let known: Type = "object".parse()?;
        self.add_property_or(&format!("#{from}"), link, &known, &format!("#{to}")).map(drop)
    }

    fn called<'a>(&mut self, texts: [&'a str; 2]) -> [Called<'a>; 2] {
        texts.map(|text| Called {
            text,
            row: self.look_up_name(text).and_then(|row| i32::try_from(row).ok()),
        })
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
    if let Some(ends) = ends_in_level(body, link) {
        chain.close_ends(ends);
    }
}

fn ends_in_level<'a>(body: &'a mut Body, link: &str) -> Option<[&'a mut PackageIndex; 2]> {
    if native_as_mut::<ue3::world::level::Level>(body).is_some() {
        let level = native_as_mut::<ue3::world::level::Level>(body)?;
        let [first, last] = match link {
            NAVIGATION_POINTS => &mut level.navigation_points,
            COVERS => &mut level.covers,
            PYLONS => &mut level.pylons,
            _ => return None,
        };
        return Some([first, last]);
    }
    let level = native_as_mut::<ue4::world::level::Level>(body)?;
    (link == NAVIGATION_POINTS).then_some([&mut level.nav_list_start, &mut level.nav_list_end])
}
