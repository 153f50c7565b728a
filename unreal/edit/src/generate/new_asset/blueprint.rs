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

/// The flags that classes hand down, of those that are seen in files: DefaultConfig, Config, Transient, 0x100,
/// NotPlaceable, PerObjectConfig, EditInlineNew, CollapseCategories, Const, DefaultToInstanced, HasInstancedReference,
/// GlobalUserConfig, ConfigDoNotCheckDefaults. Deprecated and what hides a class is its own. C++: `CLASS_ScriptInherit`.
const HANDED_DOWN: u32 = 0x48a1_370e;

/// All 141 classes of UE4 in the corpora have it, none of the 49 of UE5. C++: `CLASS_Parsed`.
const PARSED: u32 = 0x10;

/// C++: `CLASS_CompiledFromBlueprint`.
const COMPILED_FROM_BLUEPRINT: u32 = 0x4_0000;

/// What somebody says of the parent of a blueprint.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GivenHeritage {
    pub flags: Option<u32>,
    pub config_name: Option<String>,
}

/// What a class hands down to those that are made from it. No reference to the class says it: those that were made say it of
/// themselves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heritage {
    flags: u32,
    config_name: String,
    within: String,
}

impl Heritage {
    /// That of a parent: of a model what that knows, and what is given in its place.
    ///
    /// # Errors
    /// `Unsupported` where nothing says which flags it hands down.
    pub fn of(parent: &str, model: Option<&Package>, given: &GivenHeritage) -> Result<Self> {
        let known = model.and_then(|model| Self::of_model(model, parent));
        let is_known = known.is_some() || given.flags.is_some() || parent == OBJECT;
        if !is_known {
            return Err(Error::unsupported(format!(
                "which flags {parent} hands down is not known: name a package with a class that is made from it, or the flags"
            )));
        }
        let mut heritage = known.unwrap_or_else(|| Self {
            flags: 0,
            config_name: "Engine".to_owned(),
            within: OBJECT.to_owned(),
        });
        if let Some(flags) = given.flags {
            heritage.flags = flags;
        }
        if let Some(name) = &given.config_name {
            heritage.config_name.clone_from(name);
        }
        Ok(heritage)
    }

    /// What all classes of a package have that are made from `parent`, or are `parent`: one alone may have flags of its own.
    fn of_model(model: &Package, parent: &str) -> Option<Self> {
        let own = package_path(model).unwrap_or_default();
        let all = (0..model.exports().len()).filter_map(|row| {
            let decoded = model.decode(row).ok()?;
            let class = native_as::<Class>(&decoded.body)?;
            let path = format!("{own}.{}", model.object_name(PackageIndex::export(row)));
            let is_child = model.path(class.base.super_struct).eq_ignore_ascii_case(parent);
            (is_child || path.eq_ignore_ascii_case(parent)).then(|| Self {
                flags: class.class_flags & HANDED_DOWN,
                config_name: model.name_text(class.config_name).to_string(),
                within: model.path(class.within),
            })
        });
        all.reduce(|known, other| Self { flags: known.flags & other.flags, ..known })
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
