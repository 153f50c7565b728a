//! Notes of each engine on an actor's place in a level, beside the actor itself.
//!
//! | engine | flags | state frame | properties | list |
//! |---|---|---|---|---|
//! | UE1 | `HasStack`, the three load flags, `Transactional` | yes | `Level`, `Tag`, `Region` | the level's |
//! | UE2 | the same | yes | the same, `PhysicsVolume`; `Label` in SWAT 4 | the level's |
//! | UE3 | the same | yes | `Tag` | the level's |
//! | UE4, UE5 | as other objects | no | none | the level's |
//!
//! Measured on maps of the corpora: of 1,388 actors in six maps of UE1 and UE2 that the editors saved, all have
//! a state frame whose node and state are their class, and 1,380 have these properties; 77 of 77 of UE3 have a
//! `Tag` (spec: ue1-3/05 §5.2, 08 §8.4).

use std::collections::HashMap;

use super::kinship::Kinship;
use crate::edit::Edit;
use crate::edit::membership::is_bound_to_level;
use crate::edit::rows::export_row;
use crate::error::Result;
use crate::object::Body;
use crate::object::prefix::{StateFrame, VengeanceHeader, VengeanceStateFrame};
use crate::primitive::{Index, Name, ObjectFlags, ObjectRef, PackageIndex};
use crate::property::Type;
use crate::version::{Engine, Game, UnrealVersions};

/// `HasStack`, `LoadForClient`, `LoadForServer`, `LoadForEdit`, `Transactional`.
const PLACED_FLAGS: u64 = 0x0207_0001;
/// Properties that say where in the level an actor stands: the engine computes them from its location, and they
/// mean nothing in another level.
const COMPUTED: &[&str] = &["Region", "PhysicsVolume"];
/// The class of the volume that is everywhere where no other one is (UE2).
const EVERYWHERE: &str = "DefaultPhysicsVolume";
/// Why an actor of UE1 or UE2 lies in nothing.
pub(in crate::edit) const STANDS_BESIDE: &str =
    "actors of this version stand beside their level, at the top of the package";
/// First file version whose state frames have 32 probe bits.
const SHORT_PROBE_MASK: u32 = 691;

/// A property that an actor stores because it stands in a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlacedProperty {
    /// The level's settings.
    Level,
    /// The name by which events call the actor: that of its class, unless it has another.
    Tag,
    /// The zone that it stands in: that of the whole level until the engine has looked.
    Region,
    /// The volume that it stands in.
    PhysicsVolume,
    /// The actor's own name (SWAT 4).
    Label,
}

impl PlacedProperty {
    /// The properties of an engine, in the order in which it saves them.
    fn of(engine: Engine, game: Game) -> &'static [Self] {
        use PlacedProperty::{Label, Level, PhysicsVolume, Region, Tag};
        match engine {
            Engine::Ue1 => &[Level, Tag, Region],
            Engine::Ue2 if game == Game::Swat4 => &[Level, Region, Tag, PhysicsVolume, Label],
            Engine::Ue2 => &[Level, Region, Tag, PhysicsVolume],
            Engine::Ue3 => &[Tag],
            Engine::Ue4 | Engine::Ue5 => &[],
        }
    }

    /// Its name and its type.
    fn declaration(self) -> (&'static str, &'static str) {
        match self {
            Self::Level => ("Level", "object"),
            Self::Tag => ("Tag", "name"),
            Self::Region => ("Region", "struct:PointRegion"),
            Self::PhysicsVolume => ("PhysicsVolume", "object"),
            Self::Label => ("Label", "name"),
        }
    }
}

/// The origin of an object that becomes an actor of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum Placing {
    /// An object that was made anew.
    New,
    /// The copy of an actor of another level, without what [`detach`] takes out.
    Copied,
    /// The copy of an actor of the same level.
    Duplicated,
}

/// The relation of an added object to the levels of its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Placement {
    /// No actor, or there is no level that it could stand in.
    None,
    /// An actor of the level in this row, complete.
    Placed(usize),
    /// An actor of the level in this row, whose components are those of its class: what the editor stores of an
    /// actor of its own (UE3 and later) is missing.
    WithoutComponents(usize),
    /// An actor that lies in no level, and so is in no level's list: a template, or one that nothing draws or updates.
    Outside,
    /// Its class is not known: it may be an actor, and stands in no level's list.
    Unknown,
}

/// Whether a property of an actor names its level, the place in it that the engine computes, or the next actor of the
/// level's own list: it means nothing in another level.
#[must_use]
pub fn belongs_to_level(property: &str) -> bool {
    const OWN: [&str; 3] = ["Level", "XLevel", "nextNavigationPoint"];
    OWN.iter().chain(COMPUTED).any(|known| known.eq_ignore_ascii_case(property))
}

/// Takes out what an actor stores of the level that it stands in, of its lists and paths; says what that was.
pub(in crate::edit) fn detach(body: &mut Body, text: impl Fn(Name) -> String) -> Vec<String> {
    let mut found = Vec::new();
    for list in body.properties.iter_mut() {
        list.properties.retain(|property| {
            let name = property.name_text(&text).into_owned();
            let is_bound = COMPUTED.iter().any(|known| known.eq_ignore_ascii_case(&name))
                || is_bound_to_level(&name);
            if is_bound && !found.contains(&name) {
                found.push(name);
            }
            !is_bound
        });
    }
    found
}

impl Edit {
    /// The relation of an added object to the levels of the package.
    pub fn placement(&mut self, row: usize) -> Placement {
        let level = self.levels().into_iter().find(|&level| {
            self.decode_row(level);
            let lists = self.actors_mut(level);
            lists.is_some_and(|lists| lists.actors.contains(&PackageIndex::export(row)))
        });
        let beside = self.tables().exports.get(row).map(|export| self.level_at(export.outer_index));
        match (level, self.versions().engine()) {
            (Some(level), Engine::Ue1 | Engine::Ue2) => Placement::Placed(level),
            (Some(level), _) => Placement::WithoutComponents(level),
            (None, _) if beside.flatten().is_some() && self.kinship(row) == Kinship::Unknown => {
                Placement::Unknown
            }
            (None, _) if !self.levels().is_empty() && self.kinship(row) == Kinship::Actor => {
                Placement::Outside
            }
            (None, _) => Placement::None,
        }
    }

    /// Whether actors of this version stand beside their level and not in it: before UE3.
    pub(in crate::edit) fn actors_stand_beside(&self) -> bool {
        matches!(self.versions().engine(), Engine::Ue1 | Engine::Ue2)
    }

    /// The level that an actor stands in which lies in `outer`: before UE3 actors stand beside the one level
    /// that there is.
    pub(in crate::edit) fn level_at(&self, outer: PackageIndex) -> Option<usize> {
        let stands_beside = self.actors_stand_beside();
        if outer.is_null() != stands_beside {
            return None;
        }
        let levels = self.levels();
        match outer.target() {
            ObjectRef::Export(level) if levels.contains(&level) => Some(level),
            ObjectRef::Null => match levels[..] {
                [level] if self.outer(PackageIndex::export(level)).is_null() => Some(level),
                _ => None,
            },
            _ => None,
        }
    }

    /// Makes a new object an actor of the level that it stands in, where its class is that of an actor.
    ///
    /// # Errors
    /// `Doubtful` for an actor that would stand in no level though there is one; as [`Edit::place_actor`].
    pub(in crate::edit) fn place_new_actor(&mut self, row: usize) -> Result<()> {
        let Some(export) = self.tables().exports.get(row) else { return Ok(()) };
        let outer = export.outer_index;
        let levels = self.levels();
        let level = self.level_at(outer);
        if levels.is_empty() || level.is_none() && !self.is_place_of_actors(outer) {
            return Ok(());
        }
        match (level, self.kinship(row)) {
            (Some(level), Kinship::Actor) => self.place_actor(level, row, Placing::New),
            // In a level everything is an actor that is not known to be something else.
            (Some(level), Kinship::Unknown) if !self.actors_stand_beside() => {
                self.place_actor(level, row, Placing::New)
            }
            (None, Kinship::Actor) => self.doubt(|| self.where_actors_lie(row, &levels)),
            _ => Ok(()),
        }
    }

    /// Makes a new object an actor of the level that it lies in, where its name alone speaks against that.
    ///
    /// # Errors
    /// As [`Edit::place_actor`].
    pub(in crate::edit) fn place_as_actor(&mut self, row: usize) -> Result<()> {
        match self.level_at(self.outer(PackageIndex::export(row))) {
            Some(level) if self.kinship(row) == Kinship::OtherByName => {
                self.place_actor(level, row, Placing::New)
            }
            _ => Ok(()),
        }
    }

    /// Whether what lies there is no template: at the top, in a group, in a world, beside or in a level.
    fn is_place_of_actors(&self, outer: PackageIndex) -> bool {
        const PLACES: [&str; 3] = ["Package", "World", "Level"];
        match outer.target() {
            ObjectRef::Export(row) => {
                let class = self.class_name_of(row);
                PLACES.iter().any(|place| place.eq_ignore_ascii_case(&class))
            }
            _ => true,
        }
    }

    /// The advice for a new actor that would lie in none of these levels.
    fn where_actors_lie(&self, row: usize, levels: &[usize]) -> String {
        let index = PackageIndex::export(row);
        let (path, name) = (self.path(index), self.object_name(index));
        let level = |row: &usize| self.path(PackageIndex::export(*row));
        match levels {
            _ if self.actors_stand_beside() && !self.outer(index).is_null() => {
                format!("{STANDS_BESIDE}: write '{name}' instead of '{path}'")
            }
            [only] if !self.actors_stand_beside() => {
                let level = level(only);
                format!(
                    "an actor lies in a level, or nothing draws or updates it: write '{level}.{name}' \
                     instead of '{path}'"
                )
            }
            _ => {
                let levels: Vec<_> = levels.iter().map(level).collect();
                let levels = levels.join(", ");
                format!("nothing says in which level the actor '{path}' stands: there are {levels}")
            }
        }
    }

    /// Puts an actor that is in no list into that of the level in which it comes to lie.
    ///
    /// # Errors
    /// As [`Edit::place_actor`].
    pub(in crate::edit) fn take_in(&mut self, row: usize, outer: PackageIndex) -> Result<()> {
        let Some(level) = self.level_at(outer) else { return Ok(()) };
        if self.kinship(row) != Kinship::Actor {
            return Ok(());
        }
        let is_complete = self.tables().exports[row].object_flags.has_stack(self.versions());
        let placing = if is_complete { Placing::Duplicated } else { Placing::New };
        self.decode_row(row);
        self.place_actor(level, row, placing)
    }

    /// Makes an object an actor of a level: all that the engine notes of it there.
    ///
    /// # Errors
    /// `Refused` where the level's list is not decoded.
    pub(in crate::edit) fn place_actor(
        &mut self,
        level: usize,
        row: usize,
        placing: Placing,
    ) -> Result<()> {
        if placing == Placing::New {
            self.give_stack(level, row);
        }
        // First of all: the settings and the volume of a level are the first that know themselves.
        self.add_actor(level, row)?;
        if placing != Placing::Duplicated {
            self.chain_new(level, row)?;
            let (engine, game) = (self.versions().engine(), self.versions().game());
            let fixtures = self.fixtures(level);
            for &property in PlacedProperty::of(engine, game) {
                let is_computed = COMPUTED.contains(&property.declaration().0);
                if placing == Placing::New || is_computed {
                    self.set_placed(row, property, fixtures)?;
                }
            }
        }
        Ok(())
    }

    /// The flags and the state frame of a new actor: it executes its class.
    fn give_stack(&mut self, level: usize, row: usize) {
        let Some(export) = self.tables().exports.get(row) else { return };
        let (class, versions) = (export.class_index, self.versions().clone());
        if versions.has_soft_references() {
            return;
        }
        let probe_mask = self.probe_mask(level, class);
        self.change_export(row, |export| {
            export.object_flags = ObjectFlags::of_legacy(PLACED_FLAGS, &versions);
        });
        let this = PackageIndex::export(row);
        let Some(decoded) = self.decoded_mut(row) else { return };
        let mut shape = decoded.body.shape().clone();
        shape.stack = true;
        decoded.body.set_shape(shape);
        if versions.game() == Game::Swat4 {
            decoded.body.vengeance_state_frame = Some(Box::new(VengeanceStateFrame {
                header: VengeanceHeader { kind: 3, version: 0, subversion: 1 },
                probe_mask,
                node: class,
                state_node: class,
                this,
                unknown_5: Index::new(-1),
                ..VengeanceStateFrame::default()
            }));
            return;
        }
        let offset = Some(Index::new(-1)).filter(|_| !class.is_null());
        decoded.body.state_frame = Some(Box::new(StateFrame {
            node: class,
            state_node: class,
            probe_mask,
            offset,
            ..StateFrame::default()
        }));
    }

    /// The events that a new actor listens to: those that another one of its class in the level does, or all.
    fn probe_mask(&mut self, level: usize, class: PackageIndex) -> u64 {
        let file = self.versions().file();
        let all = if file < SHORT_PROBE_MASK { u64::MAX } else { u32::MAX.into() };
        if file < SHORT_PROBE_MASK {
            return all;
        }
        self.decode_row(level);
        let listed = self.actors_mut(level).map(|lists| lists.actors.clone()).unwrap_or_default();
        let sibling = listed.into_iter().find_map(|index| match index.target() {
            ObjectRef::Export(row) => {
                let export = self.tables().exports.get(row)?;
                (export.class_index == class).then_some(row)
            }
            _ => None,
        });
        let Some(sibling) = sibling else { return all };
        self.decode_row(sibling);
        let decoded = self.bodies().decoded.get(&sibling);
        let frame = decoded.and_then(|decoded| decoded.body.state_frame.as_ref());
        frame.map_or(all, |frame| frame.probe_mask)
    }

    /// Stores one of the properties that an actor has because it stands in a level.
    fn set_placed(
        &mut self,
        row: usize,
        property: PlacedProperty,
        [settings, volume]: [Option<usize>; 2],
    ) -> Result<()> {
        let number = |row: Option<usize>| row.map(|row| format!("#{row}"));
        let text = match property {
            PlacedProperty::Level => number(settings),
            PlacedProperty::Tag => Some(self.class_name_of(row)),
            PlacedProperty::Region => {
                number(settings).map(|zone| format!("(Zone={zone},iLeaf=-1,ZoneNumber=0)"))
            }
            PlacedProperty::PhysicsVolume => number(volume),
            PlacedProperty::Label => Some(self.object_name(PackageIndex::export(row))),
        };
        let (name, property_type) = property.declaration();
        if let Some(text) = text {
            let property_type: Type = property_type.parse()?;
            self.add_property_or(&format!("#{row}"), name, &property_type, &text)?;
        }
        Ok(())
    }

    /// Actors that each level has of its own and that others refer to: its settings, which are the first of its
    /// list, and the volume that is everywhere.
    pub(in crate::edit) fn fixtures(&mut self, level: usize) -> [Option<usize>; 2] {
        self.decode_row(level);
        // Asked for each actor that is placed: the index of names says where there is no object of the class, as in UE1.
        let everywhere = self.rows_of_class(EVERYWHERE);
        let Some(lists) = self.actors_mut(level) else { return [None; 2] };
        let row = |&index: &PackageIndex| export_row(index);
        let is_everywhere = |row: &usize| everywhere.contains(row);
        let found = match everywhere.is_empty() {
            true => None,
            false => lists.actors.iter().filter_map(row).find(is_everywhere),
        };
        [lists.actors.first().and_then(row), found]
    }

    /// The actors of all levels, each with its level.
    ///
    /// # Errors
    /// `Refused` where a level is not decoded.
    pub(in crate::edit) fn all_actors(&mut self) -> Result<HashMap<usize, usize>> {
        let mut found = HashMap::new();
        for level in self.levels() {
            self.decode_row(level);
            let Some(lists) = self.actors_mut(level) else {
                return Err(self.unknown_actors(level));
            };
            let rows = lists.actors.iter().filter_map(|&index| export_row(index));
            found.extend(rows.map(|row| (row, level)));
        }
        Ok(found)
    }
}
