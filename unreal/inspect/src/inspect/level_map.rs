//! A level from above: where its actors stand, the outlines of its brushes, the paths between navigation points.

mod actor;
mod brush;
mod paths;
mod svg;
mod transform;

pub use self::actor::{BrushUse, LevelMap, MapActor, MapPath};
use self::brush::Brushes;
pub use self::brush::polygons_of;
pub use self::transform::{ActorPlaces, ActorTransform};
use super::meaning::ReferenceTexts;
use super::values::Values;
use crate::error::{ErrorKind, Result, noun};
use crate::object::{Body, ue1, ue2, ue3, ue4};
use crate::package::Package;
use crate::package::decode::native_as;
use crate::primitive::{ObjectRef, PackageIndex};

impl LevelMap {
    /// The levels of a package as a drawing, seen from above: X to the right, Y down, as the editor shows it. Brushes
    /// are polygons, actors dots with a colour for each class, paths lines; each has its path as a title.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }
}

impl Values<'_> {
    /// Where the actors of the package's levels stand.
    ///
    /// # Errors
    /// `NotFound` where the package has no level that is decoded.
    pub fn level_map(&self) -> Result<LevelMap> {
        let package = self.package;
        let mut map = LevelMap::default();
        let effective = self.effective();
        let mut places = ActorPlaces::new(package, &effective);
        let brushes = Brushes::new(self);
        each_level(package, |_, body, actors| {
            // Nulls cost a byte in the file: only actors that are there get room.
            let row_of = |index: &PackageIndex| match index.target() {
                ObjectRef::Export(row) => Some(row).filter(|row| *row < package.export_count()),
                _ => None,
            };
            if map.actors.is_empty() {
                // A list of thousands that grows by itself is there twice for a while.
                map.actors.reserve_exact(actors.iter().filter_map(row_of).count());
            }
            for index in actors {
                let Some(actor) = row_of(&index) else { continue };
                // All that is asked of an actor is asked of one decoded body.
                let mut subject = effective.subject(actor);
                let brush = brushes.usage(&mut subject);
                // Most actors are no brushes: nothing of theirs is drawn here.
                let drawn = brush.and_then(|_| places.of_drawn(&mut subject));
                map.actors.push(MapActor {
                    row: actor,
                    path: package.path(index),
                    class: package.class_path(actor),
                    place: places.of_actor(&mut subject).map(|it| it.place),
                    brush,
                    outline: brushes.outline(&mut subject, drawn.as_ref()),
                });
            }
            map.paths.extend(paths::of_level(body));
        })?;
        map.paths.extend(paths::of_objects(self, &effective));
        Ok(map)
    }

    /// The row of the export that a stored property names.
    #[doc(hidden)]
    pub fn object_at(&self, row: usize, property: &str) -> Option<usize> {
        self.stored_property(row, property).ok()?.value?.export()
    }
}

/// Calls `each` for every level of a package that is decoded: its row, its body, the list of its actors.
///
/// # Errors
/// `NotFound` where there is none.
pub fn each_level(
    package: &Package,
    mut each: impl FnMut(usize, &Body, Vec<PackageIndex>),
) -> Result<()> {
    let mut found = false;
    for row in 0..package.exports().len() {
        if !package.object_name(package.tables().exports[row].class_index).ends_with("Level") {
            continue;
        }
        let decoded = package.decode(row)?;
        let Some(actors) = level_actors(&decoded.body) else { continue };
        found = true;
        each(row, &decoded.body, actors);
    }
    if found {
        return Ok(());
    }
    let name = "Level".to_owned();
    let hint = ": the package is no map, or its level is not decoded".to_owned();
    Err(ErrorKind::NotFound { what: noun::OBJECT, name, hint }.into())
}

/// The list of a level's actors, whichever engine it is of; nulls are places of deleted ones. `None` for what is no level.
fn level_actors(body: &Body) -> Option<Vec<PackageIndex>> {
    let list = if let Some(level) = native_as::<ue1::Level>(body) {
        &level.actors.items
    } else if let Some(level) = native_as::<ue2::Level>(body) {
        &level.actors.items
    } else if let Some(level) = native_as::<ue3::world::level::Level>(body) {
        &level.actors
    } else {
        &native_as::<ue4::world::level::Level>(body)?.actors
    };
    Some(list.clone())
}

/// The model with the geometry that a level's brushes make. `None` for what is no level.
pub fn level_model(body: &Body) -> Option<PackageIndex> {
    if let Some(level) = native_as::<ue1::Level>(body) {
        return Some(level.model);
    }
    if let Some(level) = native_as::<ue2::Level>(body) {
        return Some(level.model);
    }
    if let Some(level) = native_as::<ue3::world::level::Level>(body) {
        return Some(level.model);
    }
    native_as::<ue4::world::level::Level>(body).map(|level| level.model)
}
