//! Curves by name.

use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::Result;
use crate::object::ue4::condition::custom as custom_version;
use crate::object::ue4::value::StructValue;
use crate::primitive::{Name, array};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// First entry of the Fortnite main branch that says the kind of curves. C++: `ShrinkCurveTableSize`.
const MODE: i32 = 23;
/// Simple curves.
const SIMPLE: u8 = 1;

/// Curves by name.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | i32 | curves | |
/// | 2 | u8 | 0 none, 1 simple, 2 rich curves | Fortnite main from 23 |
/// | 3 | name, struct each | name, curve | |
///
/// Spec: ue4-5/05 §5. C++: `UCurveTable`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CurveTable {
    /// Kind of curves.
    pub mode: u8,
    /// The curves.
    pub curves: Vec<(Name, StructValue)>,
}

impl Archived for CurveTable {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = array::u32_count(self.curves.len(), ar)?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        if custom_version(ar, custom::FORTNITE_MAIN) >= MODE {
            in_field("mode", ar, |ar| ar.serialize_u8(&mut self.mode))?;
        } else {
            private::absent(&mut self.mode, ar, "mode")?;
        }
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
