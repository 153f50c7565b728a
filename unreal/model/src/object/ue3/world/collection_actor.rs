//! Actors that stand for many; Mass Effect 3.

use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::Facts;
use crate::object::geometry::Matrix;
use crate::primitive::array;
use crate::property::Value;
use crate::{Archive, Archived, Described};

/// Stands for many meshes or lights: a matrix for each of its components, which are a property. Their
/// number is not stored again.
///
/// Spec: ue1-3/11 §11.11. C++: `AStaticMeshCollectionActor`, `AStaticLightCollectionActor`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CollectionActor {
    /// How many the property says.
    expected: usize,
    /// Where the components are.
    pub transforms: Vec<Matrix>,
}

impl CollectionActor {
    /// An empty one, to be loaded, for as many components as one of these properties holds.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let mut values = ["StaticMeshComponents", "LightComponents"].iter();
        let expected = match values.find_map(|name| facts.value(name)) {
            Some(Value::Array(values)) => values.len(),
            Some(Value::Opaque(opaque)) => {
                let bytes = opaque.span.bytes(facts.context.source()).unwrap_or_default();
                let big = facts.versions.byte_order.is_big();
                bytes.first_chunk::<4>().map_or(0, |count| match big {
                    true => u32::from_be_bytes(*count) as usize,
                    false => u32::from_le_bytes(*count) as usize,
                })
            }
            _ => 0,
        };
        Self { expected, transforms: Vec::new() }
    }
}

impl Archived for CollectionActor {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        array::elements(&mut self.transforms, self.expected, ar)
    }
}
