//! States.

use super::Struct;
use super::structure::FRIENDLY_NAME_MOVED;
use crate::Archived;
use crate::primitive::{Map, Name, PackageIndex};

/// First file version whose probe mask has 32 bits (spec: ue1-3/06 §6.1).
const NARROW_PROBES: u32 = 691;

/// A state: code with labels.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | struct | | |
/// | 2 | u64 | probe mask | below 691 |
/// | 3 | u64 | ignore mask | below 691 |
/// | 4 | u32 | probe mask | from 691 |
/// | 5 | u16 | label table, bytes in memory; 0xFFFF for none | |
/// | 6 | u32 | flags | |
/// | 7 | map name → objref | functions | from 160 |
///
/// Spec: ue1-3/06 §6.1. C++: `UState`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Base.
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
    /// Place of the label table in the code.
    pub label_table_offset: u16,
    /// Flags: 1 editable, 2 auto, 4 simulated.
    pub state_flags: u32,
    /// The functions of the state by name.
    #[since(FRIENDLY_NAME_MOVED)]
    pub func_map: Map<Name, PackageIndex>,
}
