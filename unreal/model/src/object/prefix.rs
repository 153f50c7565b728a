//! The prefix before an object's properties.

use super::optional::optional;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::archive::private;
use crate::error::Result;
use crate::primitive::{Index, Name, PackageIndex, array};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The execution state of an object with a stack, before everything else in its body.
///
/// Spec: ue1-3/05 §5.2. C++: `FStateFrame`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct StateFrame {
    /// The function, state or class that is being executed.
    pub node: PackageIndex,
    /// The state.
    pub state_node: PackageIndex,
    /// Which events are listened to: a `u64`, a `u32` from 691.
    pub probe_mask: u64,
    /// The latent function that is waited for: a `u32`, a `u16` from 566.
    pub latent_action: u32,
    /// Pushed states, from 189.
    pub state_stack: Vec<PushedState>,
    /// Place in the code; there is one if the node is not null.
    pub offset: Option<Index>,
}

/// A pushed state of a [`StateFrame`].
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PushedState {
    /// The state.
    pub state: PackageIndex,
    /// The node.
    pub node: PackageIndex,
    /// Place in the code.
    pub offset: i32,
}

impl Archived for StateFrame {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let file = ar.versions().file();
        in_field("node", ar, |ar| self.node.serialize(ar))?;
        in_field("state_node", ar, |ar| self.state_node.serialize(ar))?;
        in_field("probe_mask", ar, |ar| match file < 691 {
            true => ar.serialize_u64(&mut self.probe_mask),
            false => private::narrow(&mut self.probe_mask, ar, A::serialize_u32),
        })?;
        in_field("latent_action", ar, |ar| match file < 566 {
            true => ar.serialize_u32(&mut self.latent_action),
            false => private::narrow(&mut self.latent_action, ar, A::serialize_u16),
        })?;
        if file >= 189 {
            in_field("state_stack", ar, |ar| array::counted_i32(&mut self.state_stack, ar))?;
        } else {
            private::absent(&mut self.state_stack, ar, "state_stack")?;
        }
        if ar.is_loading() {
            self.offset = (!self.node.is_null()).then(Index::default);
        }
        optional(&mut self.offset, "offset", ar)
    }
}

/// The header that SWAT 4 puts before objects and many structs: type 3, then two versions.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VengeanceHeader {
    /// 3 in every known file.
    pub kind: i32,
    /// Version of the object's or struct's layout.
    #[archive(when = self.kind == 3)]
    pub version: i32,
    /// Version within it.
    #[archive(when = self.kind == 3 || self.kind == 4)]
    pub subversion: i32,
}

/// The execution state of an object of SWAT 4; only the fields up to the three references are known.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VengeanceStateFrame {
    /// Version 0, 1.
    pub header: VengeanceHeader,
    /// 0 in every known file.
    pub unknown_1: u64,
    /// Memory that was never set.
    pub uninitialised: u32,
    /// Which events are listened to.
    pub probe_mask: u64,
    /// The latent function that is waited for.
    pub latent_action: u32,
    /// 0 in every known file.
    pub unknown_2: u8,
    /// The node.
    pub node: PackageIndex,
    /// The state.
    pub state_node: PackageIndex,
    /// The object itself.
    pub this: PackageIndex,
    /// 0 in every known file.
    pub unknown_3: i32,
    /// 0 in every known file.
    pub unknown_4: u8,
    /// -1 in every known file.
    pub unknown_5: Index,
    /// 0 in every known file.
    pub unknown_6: i32,
}

/// The prefix of components of UE3.
///
/// Spec: ue1-3/05 §5.1.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ComponentPrefix {
    /// The class that owns the template. C++: `TemplateOwnerClass`.
    pub template_owner_class: PackageIndex,
    /// Name of the template, where it is one. C++: `TemplateName`.
    pub template_name: Option<Name>,
}

impl ComponentPrefix {
    /// A prefix with or without a template name, to be loaded.
    pub fn blank(named: bool) -> Self {
        Self { template_name: named.then(Name::default), ..Self::default() }
    }
}

/// Loads what [`ComponentPrefix::blank`] says.
impl Archived for ComponentPrefix {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("template_owner_class", ar, |ar| self.template_owner_class.serialize(ar))?;
        optional(&mut self.template_name, "template_name", ar)
    }
}
