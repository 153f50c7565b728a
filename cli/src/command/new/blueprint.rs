//! New blueprints: classes whose objects have other defaults than their parent's.

use clap::Args;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::NewAsset;
use unreal_packages::primitive::FlagsOf;
use unreal_packages::version::Engine;

use super::asset::AssetTarget;
use super::assignments::Assignments;
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// A blueprint with defaults.
#[derive(Debug, Args)]
pub struct Blueprint {
    /// The class that it is made from: /Script/Module.Class, or another blueprint's, which --mappings must
    /// know: /Game/Folder/BP_Base.BP_Base_C
    #[arg(long, value_name = "PATH")]
    parent: String,
    /// A default of its objects: Damage:float=12.5; a type that the game's classes say may be left out
    #[arg(long = "set", value_name = "NAME:TYPE=VALUE")]
    defaults: Vec<String>,
    /// The flags that the parent hands down, by name or number, as HasInstancedReference for actors; a package that --like
    /// names says them where a class of it has the same parent, or is the parent
    #[arg(long, value_name = "FLAG,FLAG", value_delimiter = ',')]
    class_flags: Option<Vec<String>>,
    /// The ini file that the parent's settings stand in; that of the package that --like names, else Engine
    #[arg(long, value_name = "NAME")]
    class_config: Option<String>,
    #[command(flatten)]
    target: AssetTarget,
}

impl Blueprint {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if !self.target.is_cooked() {
            return Err(Failure::usage(
                "blueprints are made as games store them, without the graphs of the editor\n  next: add --cooked, or name \
                 a package of the game with --like",
            ));
        }
        let assigned = Assignments::read(&self.defaults, true)?;
        let mut asset = NewAsset::blueprint(&self.target.package, &self.parent);
        if let Some(names) = &self.class_flags {
            asset = asset.class_flags(flags(names)?);
        }
        if let Some(name) = &self.class_config {
            asset = asset.class_config(name);
        }
        let mut package = self.target.make(&asset)?;
        let defaults = format!("Default__{}_C", self.target.asset_name());
        package.edit(|edit| assigned.set_on(edit, &defaults))?;
        self.target.finish(package, out)
    }
}

/// The flags of these names and numbers.
fn flags(names: &[String]) -> Result<u32, Failure> {
    let names = names.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    let mut flags = 0;
    for name in names {
        let bits = FlagsOf::Class.parse(name, Engine::Ue4);
        let bits = bits.map_err(|error| Failure::Usage(anyhow::Error::new(error)))?;
        flags |= u32::try_from(bits)
            .map_err(|_| Failure::usage(format!("{name} is beyond the 32 flags of a class")))?;
    }
    Ok(flags)
}
