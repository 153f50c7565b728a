//! What the class of a new blueprint has from its parent.

use crate::edit::NewClass;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::package_path;
use crate::object::ue4::structure::class::Class;
use crate::package::{Package, native_as};
use crate::primitive::PackageIndex;
use crate::version::threshold::ue5;
use crate::version::{UnrealVersions, Versions};

/// The class of all objects, which hands nothing down.
const OBJECT: &str = "/Script/CoreUObject.Object";

/// It has no objects of its own, which its children may have. C++: `CLASS_Abstract`.
const ABSTRACT: u32 = 0x1;

/// All 141 classes of UE4 in the corpora have it, none of the 49 of UE5. C++: `CLASS_Parsed`.
const PARSED: u32 = 0x10;

/// C++: `CLASS_CompiledFromBlueprint`.
const COMPILED_FROM_BLUEPRINT: u32 = 0x4_0000;

/// What the session knew that saved it, of replication and of what refers to others. C++:
/// `CLASS_ReplicationDataIsSetUp`, `CLASS_TokenStreamAssembled`.
const OF_SESSION: u32 = 0x40_0800;

/// What a class hands down to those that are made from it. No reference to the class says it: those that were made say it of
/// themselves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heritage {
    flags: u32,
    config_name: String,
    within: String,
}

impl Heritage {
    /// With these flags and this name of an ini file.
    pub fn of(flags: u32, config_name: &str) -> Self {
        Self { flags, config_name: config_name.to_owned(), within: OBJECT.to_owned() }
    }

    /// That of a parent of which nothing is there but its path.
    pub fn of_path(parent: &str) -> Result<Self> {
        if parent == OBJECT {
            return Ok(Self::of(0, "Engine"));
        }
        Err(Error::unsupported(format!(
            "which flags {parent} hands down is not known: name a package with a class that is made from it, or the flags"
        )))
    }

    /// What the class of a package has that is made from `parent`, or is `parent`.
    pub fn of_model(model: &Package, parent: &str) -> Option<Self> {
        let own = package_path(model).unwrap_or_default();
        (0..model.exports().len()).find_map(|row| {
            let decoded = model.decode(row).ok()?;
            let class = native_as::<Class>(&decoded.body)?;
            let path = format!("{own}.{}", model.object_name(PackageIndex::export(row)));
            let is_child = model.path(class.base.super_struct).eq_ignore_ascii_case(parent);
            (is_child || path.eq_ignore_ascii_case(parent)).then(|| Self {
                flags: class.class_flags & !(ABSTRACT | OF_SESSION),
                config_name: model.name_text(class.config_name).to_string(),
                within: model.path(class.within),
            })
        })
    }

    /// The class that is made from `parent`, as packages of these versions have it.
    pub fn class<'a>(
        &'a self,
        name: &'a str,
        parent: &'a str,
        versions: &Versions,
    ) -> NewClass<'a> {
        let parsed = match versions.ue5() >= ue5::INITIAL_VERSION {
            true => 0,
            false => PARSED,
        };
        let flags = self.flags | COMPILED_FROM_BLUEPRINT | parsed;
        NewClass { name, parent, flags, config_name: &self.config_name, within: &self.within }
    }
}
