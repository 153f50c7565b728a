//! Captured surroundings.

use super::{ComponentPart, based_component};
use crate::archive::layout::Layout;
use crate::archive::{ArchiveExt, in_field, private};
use crate::error::Result;
use crate::object::optional::optional;
use crate::object::ue4::condition::custom as custom_version;
use crate::primitive::{Guid, Payload, Position};
use crate::version::{UE4, custom};
use crate::{Archive, Archived, Described};

/// Captures its surroundings for reflections.
///
/// Spec: ue4-5/09 §9. C++: `UReflectionCaptureComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ReflectionCaptureComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Whether it was cooked.
    #[since(ue4 = 285)]
    #[until(custom = custom::REFLECTION_CAPTURE, 1)]
    pub cooked: bool,
    /// The captured picture.
    #[since(ue4 = 350)]
    #[until(custom = custom::REFLECTION_CAPTURE, 1)]
    #[archive(when = !self.cooked)]
    pub captured: Captured,
}

based_component!(ReflectionCaptureComponent: ComponentPart);

/// The captured picture, with the position of its end before it. Spec: ue4-5/09 §9.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Captured {
    /// Name of the state it was captured in.
    pub version: Guid,
    /// Average brightness.
    pub average_brightness: f32,
    /// Position behind the data.
    pub end: Position,
    /// The surroundings.
    pub data: Option<CapturedData>,
}

/// Captured surroundings. Spec: ue4-5/09 §9.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CapturedData {
    /// Texels along an edge.
    #[since(custom = custom::RENDERING, custom::rendering::CUSTOM_REFLECTION_CAPTURE_RESOLUTION_SUPPORT)]
    pub cubemap_size: i32,
    /// Texels.
    pub data: Payload<1>,
}

impl Archived for Captured {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("version", ar, |ar| self.version.serialize(ar))?;
        if custom_version(ar, custom::RENDERING)
            >= custom::rendering::REFLECTION_CAPTURES_STORE_AVERAGE_BRIGHTNESS
        {
            in_field("brightness", ar, |ar| ar.serialize_f32(&mut self.average_brightness))?;
        } else {
            private::absent(&mut self.average_brightness, ar, "average_brightness")?;
        }
        let announced = in_field("end", ar, |ar| self.end.announce(ar))?;
        let mut has = self.data.is_some();
        in_field("has_data", ar, |ar| has.serialize(ar))?;
        if ar.is_loading() {
            self.data = has.then(CapturedData::default);
        }
        optional(&mut self.data, "data", ar)?;
        self.end.settle(announced, ar)
    }
}
