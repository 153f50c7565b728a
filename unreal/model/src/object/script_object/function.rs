//! Functions.

use super::Struct;
use super::structure::FRIENDLY_NAME_MOVED;
use crate::object::game::{is_mass_effect_3, is_ported_to_ps3, is_third_game};
use crate::primitive::{StoredName, script_flags};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Game};

/// The flag of functions that are called over the net (spec: ue1-3/08 §8.5).
const NET: u32 = 0x40;

/// A function.
///
/// Spec: ue1-3/06 §6.1, §6.4. C++: `UFunction`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Function {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Bytes of the parameters.
    #[until(64)]
    pub params_size: u16,
    /// Index of the native function, 0 for none.
    pub native: u16,
    /// Number of parameters.
    #[until(64)]
    pub num_params: u8,
    /// Precedence as an operator.
    #[archive(when = !is_third_game(ar))]
    pub oper_precedence: u8,
    /// Offset of the return value.
    #[until(64)]
    pub return_value_offset: u16,
    /// Flags. C++: `FunctionFlags`.
    #[archive(with = script_flags::function)]
    pub function_flags: u32,
    /// Place in the replication conditions; one function on PlayStation 3 has the flag without it.
    #[archive(when = self.function_flags & NET != 0 && !is_ported_to_ps3(ar))]
    pub rep_offset: u16,
    /// The name as it was written.
    #[since(FRIENDLY_NAME_MOVED)]
    #[archive(when = has_friendly_name(ar))]
    pub friendly_name: StoredName,
}

/// The first two Mass Effects keep the name in the Legendary Edition, not on PlayStation 3.
fn has_friendly_name<A: Archive + ?Sized>(ar: &A) -> bool {
    let legendary = ar.versions().game() == Game::MassEffectLegendary;
    !is_mass_effect_3(ar) || legendary && !is_third_game(ar)
}
