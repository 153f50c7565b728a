//! Structs that were made in the editor.

use super::Struct;
use crate::archive::layout::Layout;
use crate::archive::{in_field, in_part};
use crate::error::Result;
use crate::object::Facts;
use crate::object::optional::{goes_on, last};
use crate::object::ue4::condition::custom as custom_version;
use crate::object::ue4::value::StructValue;
use crate::primitive::NameContext;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// A struct that was made in the editor.
///
/// Spec: ue4-5/05 §1, 09 §11. C++: `UUserDefinedStruct`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct UserDefinedStruct {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Flags; absent in structs that could not be compiled.
    pub struct_flags: Option<u32>,
    /// Default values, from the framework version 32; not in some cooked packages.
    pub defaults: Option<Box<StructValue>>,
    /// Its own name: the schema of its defaults.
    pub name: String,
}

impl UserDefinedStruct {
    /// An empty struct of this object's name.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let name = facts.context.name_text(&facts.name).unwrap_or_default();
        Self { name, ..Self::default() }
    }
}

impl Archived for UserDefinedStruct {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("base", ar, |ar| self.base.serialize(ar))?;
        // A damaged struct has none.
        last(&mut self.struct_flags, &["", "struct_flags"], ar)?;
        if ar.is_loading() {
            self.defaults = None;
        }
        if self.struct_flags.is_none() {
            return Ok(());
        }
        let may_have = custom_version(ar, custom::FRAMEWORK)
            >= custom::framework::USER_DEFINED_STRUCTS_STORE_DEFAULT_INSTANCE;
        in_part("values", ar, |ar| {
            let known = self.defaults.is_some();
            let has = may_have && goes_on(&["", "defaults"], known, ar);
            if ar.is_loading() {
                self.defaults = has.then(Box::default);
            }
            match &mut self.defaults {
                Some(defaults) => {
                    in_field("defaults", ar, |ar| defaults.serialize_as(&self.name, ar))
                }
                None => Ok(()),
            }
        })
    }
}
