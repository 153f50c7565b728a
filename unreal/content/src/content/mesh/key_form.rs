//! How packed keys are stored: their forms and the encoding of their tracks.

use crate::error::{Error, Result};

/// How a number of a key is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyForm {
    /// Three floats of a vector, four of a rotation.
    Plain,
    /// Three floats.
    Float96,
    /// Three words.
    Fixed48,
    /// Ten and eleven bits within bounds, which stand before the keys.
    IntervalFixed32,
    /// Ten and eleven bits.
    Fixed32,
    /// The same with exponents.
    Float32,
    /// Nothing is stored: no position, no rotation.
    Identity,
    /// Mass Effect: the three smaller parts, and which one is missing.
    Smallest48,
}

/// Names of the forms in the order of their numbers.
const FORMS: &[(&str, KeyForm)] = &[
    ("ACF_None", KeyForm::Plain),
    ("ACF_Float96NoW", KeyForm::Float96),
    ("ACF_Fixed48NoW", KeyForm::Fixed48),
    ("ACF_IntervalFixed32NoW", KeyForm::IntervalFixed32),
    ("ACF_Fixed32NoW", KeyForm::Fixed32),
    ("ACF_Float32NoW", KeyForm::Float32),
    ("ACF_Identity", KeyForm::Identity),
    ("ACF_BioFixed48", KeyForm::Smallest48),
];

impl KeyForm {
    /// The form of this number; only the engine's own have one.
    pub fn of_number(number: u8) -> Result<Self> {
        let found = FORMS[..FORMS.len() - 1].get(usize::from(number)).map(|(_, form)| *form);
        found.ok_or_else(|| Error::invalid(format!("keys in the unknown form {number}")))
    }

    /// The form that a property names.
    pub fn of_name(name: &str) -> Result<Self> {
        let found = FORMS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let unknown = || Error::invalid(format!("keys in the unknown form {name}"));
        found.map(|(_, form)| *form).ok_or_else(unknown)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        FORMS.iter().find(|(_, form)| *form == self).map_or("", |(name, _)| name)
    }
}

/// How tracks are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyEncoding {
    Constant,
    Variable,
    PerTrack,
}

/// Names of the encodings in the order of their numbers.
const ENCODINGS: &[(&str, KeyEncoding)] = &[
    ("AKF_ConstantKeyLerp", KeyEncoding::Constant),
    ("AKF_VariableKeyLerp", KeyEncoding::Variable),
    ("AKF_PerTrackCompression", KeyEncoding::PerTrack),
];

impl KeyEncoding {
    pub fn of_number(number: u8) -> Result<Self> {
        let found = ENCODINGS.get(usize::from(number)).map(|(_, encoding)| *encoding);
        found.ok_or_else(|| Error::invalid(format!("tracks in the unknown encoding {number}")))
    }

    pub fn of_name(name: &str) -> Result<Self> {
        let found = ENCODINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let unknown = || Error::invalid(format!("tracks in the unknown encoding {name}"));
        found.map(|(_, encoding)| *encoding).ok_or_else(unknown)
    }
}
