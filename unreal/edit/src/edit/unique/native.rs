//! GUIDs that classes store themselves: covers of a navigation mesh, lights that were baked, neighbours in other
//! levels (spec: ue1-3/11 §11.3, §11.5, §11.10).

use std::collections::HashMap;
use std::sync::Arc;

use crate::archive::{
    Archive, CompactIndex, Context, Direction, Kind, Patch, Reference, Span, Window, visit_only,
};
use crate::error::Result;
use crate::object::{Body, Native};
use crate::primitive::Guid;
use crate::version::{UnrealVersions, Versions};

/// Bytes of a GUID as they are stored.
type GuidBytes = [u8; 16];

/// GUIDs as bodies store them, each with the one that takes its place.
pub(super) struct NativeGuids {
    new: HashMap<GuidBytes, GuidBytes>,
    versions: Versions,
}

impl NativeGuids {
    pub fn new(renewed: &HashMap<Guid, Option<Guid>>, versions: &Versions) -> Self {
        let is_big = versions.byte_order.is_big();
        let stored = |guid: &Guid| {
            let mut bytes = GuidBytes::default();
            let parts = [guid.a, guid.b, guid.c, guid.d];
            for (to, part) in bytes.chunks_exact_mut(4).zip(parts) {
                to.copy_from_slice(&if is_big { part.to_be_bytes() } else { part.to_le_bytes() });
            }
            bytes
        };
        let meant = renewed.iter().filter_map(|(old, new)| Some((stored(old), stored(&(*new)?))));
        Self { new: meant.collect(), versions: versions.of_bodies() }
    }

    /// Whether a body stores one of them.
    pub fn are_in(&self, body: &Body) -> bool {
        match &body.native {
            Native::Object(object) => self.visit(&mut Native::Object(object.clone()), false) > 0,
            _ => false,
        }
    }

    pub fn replace_in(&self, body: &mut Body) {
        self.visit(&mut body.native, true);
    }

    /// How many there are.
    fn visit(&self, native: &mut Native, replacing: bool) -> usize {
        let Native::Object(object) = native else { return 0 };
        let (versions, context) = (self.versions.clone(), Context::nothing());
        let mut found = FoundGuids { new: &self.new, replacing, count: 0, versions, context };
        // Visiting neither reads nor writes, and so does not fail.
        let _ = object.serialize_dyn(&mut found);
        found.count
    }
}

/// Looks at every value of 16 bytes: random numbers as these are not hit by chance.
struct FoundGuids<'a> {
    new: &'a HashMap<GuidBytes, GuidBytes>,
    replacing: bool,
    count: usize,
    versions: Versions,
    context: Arc<Context>,
}

impl Archive for FoundGuids<'_> {
    visit_only!();

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        // Most values are numbers: nothing is hashed for them.
        if bytes.len() == size_of::<GuidBytes>()
            && let Some(new) = self.new.get(&*bytes)
        {
            self.count += 1;
            if self.replacing {
                bytes.copy_from_slice(new);
            }
        }
        Ok(())
    }

    fn serialize_span(&mut self, _: &mut Span, _: u64, _: Kind) -> Result<()> {
        Ok(())
    }

    fn reference(&mut self, _: Reference<'_>) -> Result<()> {
        Ok(())
    }
}
