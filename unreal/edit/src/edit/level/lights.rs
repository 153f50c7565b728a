//! The lights that a level's geometry lists, in UE1 and UE2.

use crate::archive::Span;
use crate::object::ue1::Leaf;
use crate::object::{ue1, ue2};
use crate::primitive::{Index, PackageIndex, Payload};

/// Takes lights out of the lists of a model of UE1, and what they light out of its light maps; what stands
/// behind moves up. Says whether one was there. A model whose light maps and lists don't fit together stays
/// as it is.
///
/// A light map knows where its list starts, which ends in none, and where its bits start: for each light of
/// the list as many rows as the map is high, each of whole bytes (measured on the maps of the corpus).
pub(super) fn drop_from_model(
    model: &mut ue1::Model,
    is_gone: &dyn Fn(PackageIndex) -> bool,
    source: &[u8],
) -> bool {
    if !model.lights.iter().any(|&light| is_gone(light)) {
        return false;
    }
    let Ok(bits) = model.light_bits.0.bytes(source) else { return false };
    let Some(kept) = kept_bits(model, bits.len(), is_gone) else { return false };
    let places = ShiftedPlaces::of(kept.iter().copied());
    let kept_bits: Vec<u8> =
        bits.iter().zip(&kept).filter(|(_, keeps)| **keeps).map(|(byte, _)| *byte).collect();
    if kept_bits.len() != bits.len() {
        model.light_bits = Payload(Span::owned(kept_bits));
    }
    for map in &mut model.light_maps {
        map.data_offset = places.to(map.data_offset);
    }
    let lists = drop_lights(&mut model.lights, &mut model.leaves, is_gone);
    for map in &mut model.light_maps {
        map.light_actors = lists.to(map.light_actors);
    }
    true
}

/// The same for a model of UE2, whose light maps know the light of each of their parts.
pub(super) fn drop_from_lit_model(
    model: &mut ue2::Model,
    is_gone: &dyn Fn(PackageIndex) -> bool,
) -> bool {
    let mut found = false;
    for map in &mut model.light_maps {
        let count = map.light_bits.len();
        map.light_bits.retain(|bits| !is_gone(bits.light));
        found |= map.light_bits.len() != count;
    }
    if model.lights.iter().any(|&light| is_gone(light)) {
        drop_lights(&mut model.lights, &mut model.leaves, is_gone);
        found = true;
    }
    found
}

/// Which bytes of the light maps stay; `None` where they don't fit the lists.
fn kept_bits(
    model: &ue1::Model,
    length: usize,
    is_gone: &dyn Fn(PackageIndex) -> bool,
) -> Option<Vec<bool>> {
    let mut kept = vec![true; length];
    let mut used = vec![false; length];
    for map in &model.light_maps {
        let Ok(first) = usize::try_from(map.light_actors) else { continue };
        let lights = model.lights.get(first..)?;
        let lights = lights.get(..lights.iter().position(|light| light.is_null())?)?;
        let [wide, high] = [map.u_clamp, map.v_clamp].map(|size| usize::try_from(size.value()));
        let size = wide.ok()?.div_ceil(8).checked_mul(high.ok()?)?;
        let mut at = usize::try_from(map.data_offset).ok()?;
        for &light in lights {
            let end = at.checked_add(size)?;
            let bits = used.get_mut(at..end)?;
            // Of bytes that two lights share nobody knows whose they are.
            if bits.iter().any(|&used| used) {
                return None;
            }
            bits.fill(true);
            if is_gone(light) {
                kept.get_mut(at..end)?.fill(false);
            }
            at = end;
        }
    }
    Some(kept)
}

/// Takes lights out of lists that end in none; leaves follow.
fn drop_lights(
    lights: &mut Vec<PackageIndex>,
    leaves: &mut [Leaf],
    is_gone: &dyn Fn(PackageIndex) -> bool,
) -> ShiftedPlaces {
    let places = ShiftedPlaces::of(lights.iter().map(|&light| !is_gone(light)));
    lights.retain(|&light| !is_gone(light));
    for leaf in leaves {
        for list in [&mut leaf.permeating, &mut leaf.volumetric] {
            let new = places.to(list.value());
            if new != list.value() {
                *list = Index::new(new);
            }
        }
    }
    places
}

/// Where places of a list are from which some went.
struct ShiftedPlaces(Vec<i32>);

impl ShiftedPlaces {
    fn of(keeps: impl Iterator<Item = bool>) -> Self {
        let mut before = vec![0];
        let mut count = 0;
        for keeps in keeps {
            count += i32::from(keeps);
            before.push(count);
        }
        Self(before)
    }

    /// The new place; places before and behind the list stay.
    fn to(&self, old: i32) -> i32 {
        let new = usize::try_from(old).ok().and_then(|old| self.0.get(old));
        new.copied().unwrap_or(old)
    }
}
