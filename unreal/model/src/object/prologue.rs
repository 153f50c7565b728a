//! The prologue of objects of UE4 and UE5: their properties and what belongs to them.

use std::sync::Arc;

use super::optional::optional;
use crate::archive::{Context, Counter, Kind, Span, in_field, in_part};
use crate::error::Result;
use crate::primitive::{FString, Guid};
use crate::property::PropertyList;
use crate::version::UnrealVersions;
use crate::version::threshold::{ue4, ue5};
use crate::{Archive, ArchiveExt, Archived, Versions};

/// The second byte of the control follows.
const OVERRIDES: u8 = 0x02;

/// The shape of an object's prologue: known from its row and class before it is loaded.
#[derive(Debug, Clone, Default)]
pub struct PrologueShape {
    /// The class whose schema an unversioned list follows.
    pub class: Arc<str>,
    /// The object holds the defaults of a class.
    pub default_object: bool,
    /// The class writes a text about its source file first.
    pub import_data: bool,
    /// Where the properties start, as the row of the export says (from UE5 1010); bytes from the body's
    /// start.
    pub start: u64,
    /// The properties are loaded up to a gap in the mappings; the object ends with what stands behind.
    pub partial: bool,
}

/// How the properties of an object are stored.
///
/// Spec: ue4-5/04 §2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Archived)]
pub struct SerializationControl {
    /// 2: the next byte is there.
    pub flags: u8,
    /// How the object overrides its archetype: 0 none, 1 modified, 2 replace, 3 add, 4 remove.
    #[archive(when = self.flags & OVERRIDES != 0)]
    pub operation: u8,
}

/// The prologue of objects of UE4 and UE5.
///
/// Spec: ue4-5/04 §2, 05.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prologue {
    /// About the source file, in JSON: import data with editor-only data, from UE4 464.
    pub source_file: Option<FString>,
    /// Bytes up to where the row says that properties start, from UE5 1010; their meaning is not known.
    pub before: Span,
    /// How the properties are stored, with tags from UE5 1011.
    pub control: Option<SerializationControl>,
    /// The properties.
    pub properties: PropertyList,
    /// The GUID of the object, where it has one; `None` where there is no place for one, in defaults of classes.
    pub guid: Option<Option<Guid>>,
    /// Where the properties started and ended when they were loaded, bytes from the body's start.
    range: (u64, u64),
}

impl Prologue {
    /// Whether objects of these versions begin with one.
    #[doc(hidden)]
    pub fn is_in(versions: &Versions) -> bool {
        versions.ue4() >= ue4::OLDEST_LOADABLE_PACKAGE
    }

    /// Where the properties stood when they were loaded, bytes from the start of the body.
    pub fn range(&self) -> (u64, u64) {
        self.range
    }

    /// Says where the properties stood, for a prologue that does not come from bytes.
    #[cfg(feature = "json")]
    #[doc(hidden)]
    pub fn set_range(&mut self, range: (u64, u64)) {
        self.range = range;
    }

    /// The parts that this version and shape have, to be loaded.
    pub(super) fn blank(shape: &PrologueShape, versions: &Versions) -> Self {
        let source_file = shape.import_data
            && versions.ue4() >= ue4::ASSET_IMPORT_DATA_AS_JSON
            && versions.has_editor_only_data();
        let control = versions.ue5() >= ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION
            && !versions.unversioned_properties();
        let mut properties = PropertyList::blank(&shape.class, versions);
        if shape.partial {
            properties.stop_at_gap();
        }
        Self {
            source_file: source_file.then(FString::default),
            before: Span::default(),
            control: control.then(SerializationControl::default),
            properties,
            guid: (!shape.default_object).then_some(None),
            range: (0, 0),
        }
    }

    /// Where the properties would stand if they were saved now, bytes from the start of the body.
    pub(super) fn measure(
        &mut self,
        versions: &Versions,
        context: &Arc<Context>,
    ) -> Result<(u64, u64)> {
        let mut counter = Counter::new(versions.clone()).with_context(context.clone());
        self.serialize_head(0, &mut counter)?;
        let start = counter.length();
        self.serialize_list(&mut counter)?;
        Ok((start, counter.length()))
    }

    /// Serialises the part before the properties; loading, up to `length` bytes from the body's start.
    fn serialize_head<A: Archive + ?Sized>(&mut self, length: u64, ar: &mut A) -> Result<()> {
        let body = ar.position();
        optional(&mut self.source_file, "source_file", ar)?;
        let length = match ar.is_loading() {
            true => body.saturating_add(length).saturating_sub(ar.position()),
            false => self.before.len(),
        };
        in_field("before", ar, |ar| ar.serialize_span(&mut self.before, length, Kind::Opaque))
    }

    fn serialize_list<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        optional(&mut self.control, "control", ar)?;
        in_part("properties", ar, |ar| self.properties.serialize(ar))
    }

    /// The parts up to the end of the properties, then the GUID.
    pub(super) fn serialize<A: Archive + ?Sized>(
        &mut self,
        shape: &PrologueShape,
        ar: &mut A,
    ) -> Result<()> {
        let body = ar.position();
        self.serialize_head(shape.start, ar)?;
        let start = ar.position();
        self.serialize_list(ar)?;
        if ar.is_loading() {
            self.range = (start - body, ar.position() - body);
        }
        if self.properties.is_partial() {
            return Ok(());
        }
        let Some(guid) = &mut self.guid else { return Ok(()) };
        let mut present = guid.is_some();
        in_field("has_guid", ar, |ar| present.serialize(ar))?;
        if ar.is_loading() {
            *guid = present.then(Guid::default);
        }
        optional(guid, "guid", ar)
    }
}
