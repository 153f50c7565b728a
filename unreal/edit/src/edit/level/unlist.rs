//! Native data that only counts objects: removed objects leave it, and no other data needs them.

use super::lights::{drop_from_lit_model, drop_from_model};
use super::lists::ActorLists;
use crate::archive::Context;
use crate::edit::membership::drop_members;
use crate::object::{Body, text, ue1, ue2, ue3, ue4};
use crate::package::decode::{native_as, native_as_mut};
use crate::primitive::{Map, NameContext, PackageIndex};
use crate::property::{Elements, Value};

/// The class whose objects list the actors that a cooked level loads together (UE4, UE5).
const ACTOR_CONTAINER: &str = "LevelActorContainer";

/// Takes objects out of the lists of a body of this class that only count them: actors and lights of levels,
/// what a world keeps, notes about objects. Says whether one was there.
pub(in crate::edit) fn unlist(
    body: &mut Body,
    class: &str,
    is_gone: &dyn Fn(PackageIndex) -> bool,
    context: &Context,
) -> bool {
    let mut found = ActorLists::of(body).is_some_and(|mut lists| lists.drop_actors(is_gone));
    let mut list = |list: &mut Vec<PackageIndex>| {
        let count = list.len();
        list.retain(|&object| !is_gone(object));
        found |= list.len() != count;
    };
    if let Some(world) = native_as_mut::<ue3::world::persistent_world::World>(body) {
        list(&mut world.extra_objects);
    }
    if let Some(world) = native_as_mut::<ue4::world::persistent_world::World>(body) {
        list(&mut world.extra_referenced_objects);
    }
    if class.eq_ignore_ascii_case(ACTOR_CONTAINER) {
        for properties in body.lists_mut() {
            for property in &mut properties.properties {
                let name = property.name_text(|name| context.name_text(&name).unwrap_or_default());
                let is_list = name.eq_ignore_ascii_case("Actors");
                if let (true, Value::Array(Elements::Object(actors))) =
                    (is_list, property.value_mut())
                {
                    list(actors);
                }
            }
        }
    }
    found
        | drop_members(body, is_gone, context)
        | drop_keys(body, is_gone)
        | drop_lights(body, is_gone, context)
}

/// Whether a body still lists lights that are gone, since its light maps don't fit its lists: null would end
/// a list there (UE1).
pub(in crate::edit) fn keeps_lights(body: &Body, is_gone: &dyn Fn(PackageIndex) -> bool) -> bool {
    let model: Option<&ue1::Model> = native_as(body);
    model.is_some_and(|model| model.lights.iter().any(|&light| is_gone(light)))
}

/// Drops the entries of gone objects from maps by object, and from the ends of chains of objects.
fn drop_keys(body: &mut Body, is_gone: &dyn Fn(PackageIndex) -> bool) -> bool {
    fn drop<T>(map: &mut Map<PackageIndex, T>, is_gone: &dyn Fn(PackageIndex) -> bool) -> bool {
        let count = map.0.len();
        map.0.retain(|(object, _)| !is_gone(*object));
        map.0.len() != count
    }
    let mut found = false;
    if let Some(notes) = native_as_mut::<text::MetaData>(body) {
        found |= drop(&mut notes.by_object, is_gone);
    }
    if let Some(notes) = native_as_mut::<ue4::asset::small::MetaData>(body) {
        found |= drop(&mut notes.objects, is_gone);
    }
    /// The ends of a chain of one.
    fn drop_ends(ends: [&mut PackageIndex; 2], is_gone: &dyn Fn(PackageIndex) -> bool) -> bool {
        let goes = *ends[0] == *ends[1] && is_gone(*ends[0]);
        if goes {
            ends.into_iter().for_each(|end| *end = PackageIndex::NULL);
        }
        goes
    }
    if let Some(level) = native_as_mut::<ue3::world::level::Level>(body) {
        for [first, last] in [&mut level.navigation_points, &mut level.covers, &mut level.pylons] {
            found |= drop_ends([first, last], is_gone);
        }
        found |= drop(&mut level.texture_instances, is_gone)
            | drop(&mut level.dynamic_components, is_gone)
            | drop(&mut level.force_stream_textures, is_gone);
    }
    if let Some(level) = native_as_mut::<ue4::world::level::Level>(body) {
        found |= drop_ends([&mut level.nav_list_start, &mut level.nav_list_end], is_gone);
        found |= drop(&mut level.texture_to_instances, is_gone)
            | drop(&mut level.dynamic_texture_instances, is_gone)
            | drop(&mut level.forced_textures, is_gone);
    }
    found
}

/// Drops the light that was computed for lights (UE1, UE2); says whether there was some.
pub(in crate::edit) fn drop_lights(
    body: &mut Body,
    is_gone: &dyn Fn(PackageIndex) -> bool,
    context: &Context,
) -> bool {
    let mut found = false;
    if let Some(model) = native_as_mut::<ue1::Model>(body) {
        found |= drop_from_model(model, is_gone, context.source());
    }
    if let Some(model) = native_as_mut::<ue2::Model>(body) {
        found |= drop_from_lit_model(model, is_gone);
    }
    if let Some(mesh) = native_as_mut::<ue2::StaticMeshInstance>(body) {
        let count = mesh.lights.len();
        mesh.lights.retain(|light| !is_gone(light.light));
        found |= mesh.lights.len() != count;
    }
    if let Some(sector) = native_as_mut::<ue2::TerrainSector>(body) {
        let count = sector.shadows.len();
        sector.shadows.retain(|shadow| !is_gone(shadow.light));
        found |= sector.shadows.len() != count;
    }
    found
}
