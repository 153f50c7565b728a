//! Data of classes that are not described.

use super::condition::{choose, custom as custom_version, remaining};
use super::world::actor::Actor;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The forms, and what documents call them.
const NONE: i64 = 0;
const ZERO: i64 = 1;
const ACTOR: i64 = 2;
const FORMS: [&str; 3] = ["none", "zero", "actor"];

/// The data behind the properties of an object whose class is not known.
///
/// Spec: ue4-5/05 §10, 09 §2, §11.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub enum Remainder {
    /// Nothing.
    #[default]
    None,
    /// A zero of four bytes: an empty list, a flag that is not set, or a reference to nothing.
    Zero,
    /// The part of actors.
    Actor(Box<Actor>),
}

impl Archived for Remainder {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let known = match self {
            Self::None => NONE,
            Self::Zero => ZERO,
            Self::Actor(_) => ACTOR,
        };
        let form = choose(&FORMS, known, ar, Self::found);
        if ar.is_loading() {
            *self = match form {
                NONE => Self::None,
                ZERO => Self::Zero,
                _ => Self::Actor(Box::default()),
            };
        }
        match self {
            Self::None => Ok(()),
            Self::Zero => in_field("zero", ar, |ar| ar.serialize_u32(&mut 0)),
            Self::Actor(actor) => actor.serialize(ar),
        }
    }
}

impl Remainder {
    /// The one form that the bytes that are left can have; none where several are possible.
    fn found<A: Archive + ?Sized>(ar: &A) -> i64 {
        let left = remaining(ar);
        if left == 4 && ar.peek_number(0, 4) == Some(0) {
            return ZERO;
        }
        let labelled = custom_version(ar, custom::UE5_SPECIAL_PROJECT)
            >= custom::ue5_special_project::SERIALIZE_ACTOR_LABEL_IN_COOKED_BUILDS;
        let actor = match (ar.peek_number(0, 4), ar.peek_number(4, 4)) {
            // Set, then a text up to the end; or not set, then two GUIDs.
            (Some(1), Some(length)) => matches!(left.checked_sub(8 + length), Some(0 | 32)),
            (Some(0), Some(_)) => left == 36,
            _ => false,
        };
        if labelled && actor { ACTOR } else { NONE }
    }
}
