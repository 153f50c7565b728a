//! Systems of Niagara.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::ue4::value::StructValue;
use crate::primitive::array;
use crate::{Archive, Archived, Described};

/// A particle system of Niagara.
///
/// C++: `UNiagaraSystem`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct NiagaraSystem {
    /// Data compiled for each emitter. C++: `FNiagaraEmitterCompiledData`.
    pub emitters: Vec<StructValue>,
}

impl Archived for NiagaraSystem {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("emitters", ar, |ar| {
            array::counted_i32_by(&mut self.emitters, ar, |emitter, ar| {
                emitter.serialize_as("NiagaraEmitterCompiledData", ar)
            })
        })
    }
}
