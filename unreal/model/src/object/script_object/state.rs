//! States.

use super::Struct;
use super::structure::FRIENDLY_NAME_MOVED;
use crate::Archived;
use crate::primitive::{Map, Name, PackageIndex, script_flags};

/// First file version whose probe mask has 32 bits (spec: ue1-3/06 §6.1).
const NARROW_PROBES: u32 = 691;

/// A state: code with labels.
///
/// Spec: ue1-3/06 §6.1. C++: `UState`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct State {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Events the state listens to.
    #[until(NARROW_PROBES)]
    pub probe_mask_64: u64,
    /// Events the state ignores.
    #[until(NARROW_PROBES)]
    pub ignore_mask: u64,
    /// Events the state listens to.
    #[since(NARROW_PROBES)]
    pub probe_mask: u32,
    /// Place of the label table in the code, bytes in memory; 0xFFFF for none.
    pub label_table_offset: u16,
    /// Flags: 1 editable, 2 auto, 4 simulated.
    #[archive(with = script_flags::state)]
    pub state_flags: u32,
    /// The functions of the state by name.
    #[since(FRIENDLY_NAME_MOVED)]
    pub func_map: Map<Name, PackageIndex>,
}
