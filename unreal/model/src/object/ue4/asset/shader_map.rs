//! Shader maps inside materials.

use super::old_shader_map::OldShaderResource;
use super::shader_resource::ShaderResource;
use crate::archive::layout::Layout;
use crate::archive::{Extent, Kind, Role, Span, at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::from_release;
use crate::primitive::{FString, array};
use crate::{Archive, ArchiveExt, Archived, Counter, Described};

/// Shader maps of a cooked material.
///
/// Shader maps below UE4.20 hold names of the package and positions in the file, so that bodies with one of a
/// release whose layout is not known are not decoded. Spec: ue4-5/09 §7.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ShaderMaps {
    /// Number of resources, from UE4.20 on.
    pub count: u32,
    /// The resources, below UE4.20.
    pub old: Vec<OldShaderResource>,
    /// Names that the resources refer to, from UE4.20 on.
    pub names: Vec<HashedName>,
    /// Where resources start.
    pub locations: Vec<ResourceLocation>,
    /// The resources, UE5.0 to 5.7.
    pub resources: Option<Vec<ShaderResource>>,
    /// The resources where they are not decoded.
    pub data: Span,
}

/// Names in documents of resources that are decoded, and of those that are not.
const WORDS: [&str; 2] = ["resources", "bytes"];

/// A name with its hashes. Spec: ue4-5/09 §7.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HashedName {
    /// Its text.
    pub text: FString,
    /// Hash regardless of case.
    pub non_case_preserving_hash: u16,
    /// Hash with case.
    pub case_preserving_hash: u16,
}

/// Where a resource starts. Spec: ue4-5/09 §7.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResourceLocation {
    /// Bytes behind the size.
    pub offset: u32,
    /// Feature level.
    pub feature_level: u8,
    /// Quality.
    pub quality_level: u8,
}

impl Archived for ShaderMaps {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !from_release(ar, 4, 20) {
            if ar.is_loading() {
                *self = Self::default();
            }
            return in_field("old", ar, |ar| array::counted_u32(&mut self.old, ar));
        }
        in_field("count", ar, |ar| ar.serialize_u32(&mut self.count))?;
        array::mark_empty(self.count as usize, ar);
        if ar.is_loading() {
            *self = Self { count: self.count, ..Self::default() };
        }
        if self.count == 0 {
            return Ok(());
        }
        in_field("names", ar, |ar| self.names.serialize(ar))?;
        in_field("locations", ar, |ar| self.locations.serialize(ar))?;
        let form = ar.form("data_form", &WORDS, i64::from(self.resources.is_none()));
        let size = match &mut self.resources {
            Some(resources) if ar.is_saving() => {
                let mut counter = Counter::new(ar.versions().clone());
                resources.iter_mut().try_for_each(|it| it.serialize(&mut counter))?;
                counter.length()
            }
            _ => self.data.len(),
        };
        let mut size = u32::try_from(size)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: size.into(), bits: 32 }))?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut size))?;
        ar.role(Role::Size);
        if ar.is_loading() {
            let is_known = from_release(ar, 5, 0) && !from_release(ar, 5, 8);
            self.resources = form.map_or(is_known, |form| form == 0).then(Vec::new);
        }
        if self.resources.is_some() {
            let window = ar.open(Extent::Size(size.into()))?;
            let result = in_field("resources", ar, |ar| self.serialize_resources(ar));
            match ar.close(window, result) {
                Err(_) if ar.is_loading() && form.is_none() => self.resources = None,
                result => return result,
            }
        }
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, size.into(), Kind::Opaque))
    }
}

impl ShaderMaps {
    /// As many as the count says, each where its location says.
    fn serialize_resources<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let Some(resources) = &mut self.resources else { return Ok(()) };
        if ar.is_loading() {
            ar.claim(self.count.into(), size_of::<ShaderResource>())?;
            resources.resize(self.count as usize, ShaderResource::default());
        } else if ar.is_saving() && resources.len() != self.count as usize {
            let value = resources.len() as i128;
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 32 }));
        }
        let start = ar.position();
        let mut found = 0;
        for (index, resource) in resources.iter_mut().enumerate() {
            let here = ar.position() - start;
            found += self.locations.iter().filter(|it| u64::from(it.offset) == here).count();
            at_index(index, ar, |ar| resource.serialize(ar))?;
        }
        // Archives that only visit stand still.
        let has_places = ar.is_saving() || ar.position() > start;
        match has_places && found < self.locations.len() {
            true => {
                let reason = "a resource starts elsewhere than its location says".to_owned();
                Err(ar.error(ErrorKind::Invalid { reason }))
            }
            false => Ok(()),
        }
    }
}
