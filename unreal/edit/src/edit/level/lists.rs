//! The lists of actors of a level, whichever engine it is of.

use crate::object::{Body, ue1, ue2, ue3, ue4};
use crate::package::decode::native_as_mut;
use crate::primitive::PackageIndex;

/// Places at the start of the list that have a meaning of their own: the level's settings and the brush of
/// the editor. Nothing closes up over them.
const FIXED: usize = 2;

/// The lists of actors of a level.
pub(in crate::edit) struct ActorLists<'a> {
    /// All actors; null where one was deleted.
    pub actors: &'a mut Vec<PackageIndex>,
    /// How many the list has room for, where that is stored.
    maximum: Option<&'a mut i32>,
    /// The actors that refer to other levels (UE3).
    others: Option<&'a mut Vec<PackageIndex>>,
}

impl<'a> ActorLists<'a> {
    /// The lists of a level's body; `None` for one that is not decoded, or of another object.
    pub fn of(body: &'a mut Body) -> Option<Self> {
        // One after the other: only one of them can be what the body is.
        if native_as_mut::<ue1::Level>(body).is_some() {
            let list = &mut native_as_mut::<ue1::Level>(body)?.actors;
            return Some(Self::sized(&mut list.items, &mut list.maximum));
        }
        if native_as_mut::<ue2::Level>(body).is_some() {
            let list = &mut native_as_mut::<ue2::Level>(body)?.actors;
            return Some(Self::sized(&mut list.items, &mut list.maximum));
        }
        if native_as_mut::<ue3::world::level::Level>(body).is_some() {
            let level = native_as_mut::<ue3::world::level::Level>(body)?;
            let others = Some(&mut level.cross_level_actors);
            return Some(Self { actors: &mut level.actors, maximum: None, others });
        }
        let level = native_as_mut::<ue4::world::level::Level>(body)?;
        Some(Self { actors: &mut level.actors, maximum: None, others: None })
    }

    fn sized(actors: &'a mut Vec<PackageIndex>, maximum: &'a mut i32) -> Self {
        Self { actors, maximum: Some(maximum), others: None }
    }

    /// Changes the list of all actors; the room for it follows as far as it has to.
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<PackageIndex>)) {
        let is_full = |maximum: i32, actors: &[PackageIndex]| {
            usize::try_from(maximum).is_ok_and(|maximum| maximum <= actors.len())
        };
        let was_full = self.maximum.as_deref().is_some_and(|&room| is_full(room, self.actors));
        change(self.actors);
        if let Some(maximum) = &mut self.maximum
            && (was_full || is_full(**maximum, self.actors))
        {
            **maximum = i32::try_from(self.actors.len()).unwrap_or(i32::MAX);
        }
    }

    /// The number of places in the list, where that is stored.
    pub fn room(&mut self) -> Option<&mut i32> {
        self.maximum.as_deref_mut()
    }

    /// Takes out the actors that are gone, and says whether there were some. The first places are no such list:
    /// a level needs what stands there, and refers to it.
    pub fn drop_actors(&mut self, is_gone: &dyn Fn(PackageIndex) -> bool) -> bool {
        let mut found = false;
        if let Some(others) = &mut self.others {
            let count = others.len();
            others.retain(|&actor| !is_gone(actor));
            found |= others.len() != count;
        }
        if self.actors.iter().skip(FIXED).any(|&actor| is_gone(actor)) {
            self.change(|actors| {
                let mut at = 0..;
                actors.retain(|&actor| {
                    at.next().is_some_and(|at: usize| at < FIXED) || !is_gone(actor)
                });
            });
            found = true;
        }
        found
    }
}
