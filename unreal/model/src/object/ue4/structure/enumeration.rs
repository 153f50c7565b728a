//! Enums.

use super::Field;
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::Result;
use crate::object::ue4::condition::{custom as custom_version, ue4};
use crate::primitive::Name;
use crate::version::custom;
use crate::{Archive, Archived, Described};

/// First UE4 version that stores the numbers of enumerators. C++: `TIGHTLY_PACKED_ENUMS`.
const NUMBERS_ADDED: u32 = 463;

/// An enum.
///
/// Spec: ue4-5/05 §2. C++: `UEnum`, `UUserDefinedEnum`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Enum {
    /// The part that all fields have.
    pub field: Field,
    /// The enumerators.
    pub enumerators: Vec<Enumerator>,
    /// How it was declared. C++: `CppForm`.
    #[archive(with = form)]
    pub cpp_form: u32,
    /// Type of the numbers.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::ENUM_UNDERLYING_TYPE)]
    pub underlying_type: u8,
}

/// A name with its number: a u8 from UE4 version 463, an i64 with the core version 2; before, its place
/// is the number.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Enumerator {
    /// Its name.
    pub name: Name,
    /// Its number; 0 where it is not stored.
    pub value: i64,
}

impl Archived for Enumerator {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        if ue4(ar) < NUMBERS_ADDED {
            private::absent(&mut self.value, ar, "value")
        } else if custom_version(ar, custom::CORE) < custom::core::ENUM_PROPERTIES {
            in_field("value", ar, |ar| private::narrow(&mut self.value, ar, A::serialize_u8))
        } else {
            in_field("value", ar, |ar| ar.serialize_i64(&mut self.value))
        }
    }
}

fn form<A: Archive + ?Sized>(form: &mut u32, ar: &mut A) -> Result<()> {
    if ue4(ar) < 390 {
        return ar.serialize_u32(form);
    }
    private::narrow(form, ar, A::serialize_u8)
}
