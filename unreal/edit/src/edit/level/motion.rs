//! The way from where actors stand to where they are to stand.

use crate::error::{Error, Result};

/// An axis of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MirrorAxis {
    /// What is in front comes behind: X changes its sign.
    X,
    /// What is right comes left.
    Y,
    /// What is above comes below.
    Z,
}

impl MirrorAxis {
    /// Its place among X, Y, Z.
    pub(super) fn number(self) -> usize {
        self as usize
    }
}

/// How a group of actors is placed elsewhere: mirrored, then turned, both about a pivot, then moved.
///
/// Texts are vectors and rotators as properties have them. Angles without a unit are those of the package's own
/// rotators: of UE1 to UE3 65536 are a turn, of UE4 and UE5 360; `90deg` are degrees and `16384uu` are 65536 a turn
/// everywhere.
#[derive(Debug, Clone, Default)]
pub struct ActorMotion {
    pub(super) offset: Option<String>,
    pub(super) rotation: Option<String>,
    pub(super) mirror: Option<MirrorAxis>,
    pub(super) pivot: Option<String>,
}

impl ActorMotion {
    /// Where they are.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves them by a vector: `(X=0,Y=0,Z=64)`.
    #[must_use]
    pub fn offset(mut self, offset: impl Into<String>) -> Self {
        self.offset = Some(offset.into());
        self
    }

    /// Turns them: `(Yaw=90deg)`.
    #[must_use]
    pub fn rotation(mut self, rotation: impl Into<String>) -> Self {
        self.rotation = Some(rotation.into());
        self
    }

    /// Mirrors them along an axis of the world.
    #[must_use]
    pub fn mirror(mut self, axis: MirrorAxis) -> Self {
        self.mirror = Some(axis);
        self
    }

    /// Turns and mirrors them about this place instead of the middle of the group.
    #[must_use]
    pub fn pivot(mut self, pivot: impl Into<String>) -> Self {
        self.pivot = Some(pivot.into());
        self
    }
}

/// The numbers of a vector or rotator, fields that are not given being `None`.
pub(super) fn numbers(
    text: &str,
    fields: [&str; 3],
    number: impl Fn(&str) -> Option<f64>,
) -> Result<[Option<f64>; 3]> {
    let wrong = || {
        let [x, y, z] = fields;
        Error::invalid(format!("'{text}' is no value of its kind: write ({x}=0,{y}=0,{z}=0)"))
    };
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let mut found = [None; 3];
    for part in inner.ok_or_else(wrong)?.split(',') {
        let (name, value) = part.split_once('=').ok_or_else(wrong)?;
        let field = fields.iter().position(|field| field.eq_ignore_ascii_case(name.trim()));
        let value = number(value.trim()).filter(|number| number.is_finite());
        found[field.ok_or_else(wrong)?] = Some(value.ok_or_else(wrong)?);
    }
    Ok(found)
}

/// An angle as so many of `full` in a turn.
pub(super) fn angle(text: &str, full: f64) -> Option<f64> {
    for (unit, turn) in [("deg", 360.0), ("°", 360.0), ("uu", 65536.0)] {
        if let Some(number) = text.strip_suffix(unit) {
            let number: f64 = number.trim().parse().ok()?;
            return Some(number / turn * full);
        }
    }
    text.parse().ok()
}
