//! What classes add that nobody has described.

use super::condition::{custom as custom_version, remaining};
use super::world::actor::Actor;
use crate::archive::in_field;
use crate::error::Result;
use crate::version::custom;
use crate::{Archive, Archived};

/// What is left of an object whose class is not known.
///
/// Spec: ue4-5/05 §10, 09 §2, §11.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Remainder {
    /// Nothing.
    #[default]
    None,
    /// A zero of four bytes: an empty list, a flag that is not set, or a reference to nothing.
    Zero,
    /// What actors add.
    Actor(Box<Actor>),
}

impl Archived for Remainder {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *self = Self::found(ar);
        }
        match self {
            Self::None => Ok(()),
            Self::Zero => in_field("zero", ar, |ar| ar.serialize_u32(&mut 0)),
            Self::Actor(actor) => actor.serialize(ar),
        }
    }
}

impl Remainder {
    /// What the bytes that are left can only be; nothing where they could be more.
    fn found<A: Archive + ?Sized>(ar: &A) -> Self {
        let left = remaining(ar);
        if left == 4 && ar.peek(4) == [0; 4] {
            return Self::Zero;
        }
        let labelled = custom_version(ar, custom::UE5_SPECIAL_PROJECT) >= 4;
        let label = ar.peek(8).as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let actor = match label.collect::<Vec<_>>()[..] {
            // Set, then a text up to the end; or not set, then two GUIDs.
            [1, length] => matches!(left.checked_sub(8 + u64::from(length)), Some(0 | 32)),
            [0, _] => left == 36,
            _ => false,
        };
        if labelled && actor { Self::Actor(Box::default()) } else { Self::None }
    }
}
