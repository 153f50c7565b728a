//! Curves by name.

use crate::archive::layout::Layout;
use crate::archive::{Role, in_field};
use crate::error::Result;
use crate::object::ue4::condition::{custom as custom_version, when};
use crate::object::ue4::value::StructValue;
use crate::primitive::{Name, array};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// Simple curves.
const SIMPLE: u8 = 1;

/// Curves by name.
///
/// Spec: ue4-5/05 §5. C++: `UCurveTable`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CurveTable {
    /// Kind of curves: 0 none, 1 simple, 2 rich.
    pub mode: u8,
    /// The curves.
    pub curves: Vec<(Name, StructValue)>,
}

impl Archived for CurveTable {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = array::u32_count(self.curves.len(), ar)?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        ar.role(Role::Count);
        array::mark_empty(count as usize, ar);
        let has_mode = custom_version(ar, custom::FORTNITE_MAIN)
            >= custom::fortnite_main::SHRINK_CURVE_TABLE_SIZE;
        when(has_mode, &mut self.mode, "mode", ar)?;
        if ar.is_loading() {
            ar.claim(count.into(), size_of::<(Name, StructValue)>())?;
            self.curves.clear();
            self.curves.resize_with(count as usize, Default::default);
        }
        let structure = if self.mode == SIMPLE { "SimpleCurve" } else { "RichCurve" };
        for (name, curve) in &mut self.curves {
            name.serialize(ar)?;
            curve.serialize_as(structure, ar)?;
        }
        Ok(())
    }
}
