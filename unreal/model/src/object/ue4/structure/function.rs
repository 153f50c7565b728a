//! Functions.

use super::Struct;
use crate::Archived;
use crate::primitive::{PackageIndex, script_flags};
use crate::version::UE4;

/// The flag of functions that are called over the net (spec: ue4-5/05 §1).
const NET: u32 = 0x40;

/// A function, also the signature of a delegate.
///
/// Spec: ue4-5/05 §1. C++: `UFunction`, `UDelegateFunction`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Function {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Flags. C++: `FunctionFlags`.
    #[archive(with = script_flags::function)]
    pub function_flags: u32,
    /// Place in the replication.
    #[archive(when = self.function_flags & NET != 0)]
    pub rep_offset: u16,
    /// The event graph that an event jumps into.
    #[since(ue4 = 451)]
    pub event_graph_function: PackageIndex,
    /// Where it jumps to, bytes in memory.
    #[since(ue4 = 451)]
    pub event_graph_call_offset: i32,
}
