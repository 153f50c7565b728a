//! `upk classes`: the tree of classes, and what a class declares and inherits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unreal_packages::inspect::folder_name;

use clap::Args;
use serde_json::json;
use unreal_packages::Engine;
use unreal_packages::environment::{
    ClassInfo, Classes as Registry, EnumInfo, FieldInfo, PlacedField, StructInfo,
};
use unreal_packages::package::Package;
use unreal_packages::primitive::FlagsOf;

use super::env::environment;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, flags, table};
use crate::progress;

/// Deeper classes are not indented further.
const DEEPEST_INDENT: usize = 64;

/// Show the tree of classes, structs and enums, or what one of them declares: types, flags, sizes
///
/// Offsets and sizes are those of the 32-bit engines. Where a parent is not there, offsets count from its
/// end. Of UE4 and UE5 the classes, structs and enums that were made in the editor are shown, with their
/// properties in order.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk classes ~/Games/UT
  upk classes ~/Games/UT Botpack.Enforcer
  upk classes ~/Games/UT Pawn --own           without what it inherits
  upk classes MyProject /Game/Characters/BP_Hero.BP_Hero_C
  upk classes MyProject E_Weapon
  upk classes Botpack.u --json")]
pub struct Classes {
    /// A game folder, an ini file, a folder of packages, or one package
    path: PathBuf,
    /// The class, struct or enum: its path, the end of it, or its bare name
    class: Option<String>,
    /// Leave inherited properties out
    #[arg(long, requires = "class")]
    own: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Classes {
    /// Prints the tree or the class.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let registry = self.registry()?;
        match &self.class {
            Some(class) => self.class(&registry, class, out)?,
            None if out.is_json() => {
                for class in registry.iter() {
                    out.object(class)?;
                }
                if registry.is_ue4() {
                    for structure in registry.structs() {
                        out.object(&json!({ "struct": structure }))?;
                    }
                    for enumeration in registry.enums() {
                        out.object(&json!({ "enum": enumeration }))?;
                    }
                }
            }
            None => tree(&registry, out)?,
        }
        Ok(Outcome::Fine)
    }

    fn registry(&self) -> Result<Registry, Failure> {
        let is_ini = self.path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini"));
        if !self.path.is_dir() && !is_ini {
            let package = self.open.open(&self.path)?;
            let mut registry = Registry::default();
            registry.add(&package, &name_of(&package, &self.path));
            return Ok(registry);
        }
        let environment = environment(std::slice::from_ref(&self.path), &self.open, &self.path)?;
        let bar = progress::bar(environment.len(), "packages");
        let registry = environment.classes(&mut |done| bar.set_position(done as u64));
        bar.finish_and_clear();
        Ok(registry)
    }

    fn class(&self, registry: &Registry, name: &str, out: &mut Output) -> Result<(), Failure> {
        let missing = || {
            let next = "`upk classes DIR` shows the classes that there are";
            let near = match &registry.near(name)[..] {
                [] => String::new(),
                near => format!("; did you mean {}?", near.join(", ")),
            };
            Failure::failed(format!("class '{name}' not found{near}\n  next: {next}"))
        };
        if registry.get(name).is_none() {
            return self.other(registry, name, out).unwrap_or_else(|| Err(missing()));
        }
        let class = registry.get(name).ok_or_else(missing)?;
        let path = class.path();
        let mut layout = registry.layout(&path).ok_or_else(missing)?;
        if self.own {
            layout.fields.retain(|field| field.declared_in == path);
        }
        if out.is_json() {
            return out.object(&json!({ "class": class, "layout": layout }));
        }
        let chain = registry.chain(&path);
        let mut names: Vec<String> = chain.iter().map(|class| class.path()).collect();
        names.extend(
            chain.last().and_then(|root| root.parent.as_ref()).map(|p| format!("{p} (missing)")),
        );
        out.line(names.join(" < "))?;
        if registry.is_ue4() {
            out.line(format!("  flags {}", shown(FlagsOf::Class, class.flags, registry)))?;
            let fields = layout.fields.iter();
            let fields = fields.map(|placed| (&placed.field, placed.declared_in.as_str()));
            return fields_in_order(fields, registry, out);
        }
        let native = if class.native { "native" } else { "script only" };
        let whole = if layout.complete { "" } else { ", as far as known" };
        out.line(format!("  {native}, {} bytes{whole}", layout.size))?;
        out.line(format!("  flags {}", shown(FlagsOf::Class, class.flags, registry)))?;
        if let Some(within) = &class.within {
            out.line(format!("  within {within}"))?;
        }
        let rows: Vec<_> =
            layout.fields.iter().map(|field| row(field, registry.engine())).collect();
        let header = ["offset", "size", "name", "type", "flags", "declared in"];
        for line in table(&header, &[true, true, false, false, false, false], &rows) {
            out.line(line)?;
        }
        Ok(())
    }

    /// A struct or an enum; `None` when there is none of this name.
    fn other(
        &self,
        registry: &Registry,
        name: &str,
        out: &mut Output,
    ) -> Option<Result<(), Failure>> {
        if let Some(structure) = registry.structure(name) {
            return Some(self.structure(structure, registry, out));
        }
        // The whole path, or its end: as `upk list` prints it, the package is left out.
        let end = format!(".{}", name.to_ascii_lowercase());
        let is = |path: &str| {
            path.eq_ignore_ascii_case(name) || path.to_ascii_lowercase().ends_with(&end)
        };
        if let Some(structure) = registry.structs().find(|known| is(&known.full_path())) {
            return Some(self.structure(structure, registry, out));
        }
        let enumeration = registry.enums().find(|known| is(&known.path))?;
        Some(enumeration_lines(enumeration, out))
    }

    fn structure(
        &self,
        structure: &StructInfo,
        registry: &Registry,
        out: &mut Output,
    ) -> Result<(), Failure> {
        if out.is_json() {
            return out.object(&json!({ "struct": structure }));
        }
        let parent = structure.parent.as_ref().map(|parent| format!(" < {parent}"));
        let path = structure.full_path();
        out.line(format!("struct {path}{}", parent.unwrap_or_default()))?;
        out.line(format!("  flags {}", shown(FlagsOf::Struct, structure.flags, registry)))?;
        let fields = structure.fields.iter().map(|field| (field, path.as_str()));
        fields_in_order(fields, registry, out)
    }
}

fn enumeration_lines(enumeration: &EnumInfo, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.object(&json!({ "enum": enumeration }));
    }
    out.line(format!("enum {}", enumeration.path))?;
    for (at, value) in enumeration.values.iter().enumerate() {
        out.line(format!("  {value} = {}", enumeration.number(at)))?;
    }
    Ok(())
}

/// What other packages call a package of its own: UE5 says it, else it is the name of the file.
fn name_of(package: &Package, path: &Path) -> String {
    match folder_name(package).starts_with('/') {
        true => folder_name(package),
        false => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// Flags in words, with the number.
fn shown(of: FlagsOf, bits: u32, registry: &Registry) -> String {
    flags(&of.names(bits.into(), registry.engine()), bits.into())
}

/// Fields whose places in memory nothing tells.
fn fields_in_order<'a>(
    fields: impl Iterator<Item = (&'a FieldInfo, &'a str)>,
    registry: &Registry,
    out: &mut Output,
) -> Result<(), Failure> {
    let row = |(field, declared_in): (&FieldInfo, &str)| {
        let names = field.flag_names(registry.engine()).join(" | ");
        vec![field.name.clone(), field.type_text(), names, declared_in.to_owned()]
    };
    let rows: Vec<_> = fields.map(row).collect();
    for line in table(&["name", "type", "flags", "declared in"], &[false; 4], &rows) {
        out.line(line)?;
    }
    Ok(())
}

fn row(placed: &PlacedField, engine: Engine) -> Vec<String> {
    let offset = match placed.bit {
        Some(bit) => format!("{:#x}:{bit}", placed.offset),
        None => format!("{:#x}", placed.offset),
    };
    vec![
        offset,
        placed.size.to_string(),
        placed.field.name.clone(),
        placed.field.type_text(),
        placed.field.flag_names(engine).join(" | "),
        placed.declared_in.clone(),
    ]
}

/// Classes under their parents; those whose parent is not there stand under its name.
fn tree(registry: &Registry, out: &mut Output) -> Result<(), Failure> {
    let mut children: BTreeMap<String, Vec<&ClassInfo>> = BTreeMap::new();
    let mut roots = Vec::new();
    let mut others: BTreeMap<String, String> = BTreeMap::new();
    for class in registry.iter() {
        match &class.parent {
            None => roots.push(class),
            Some(parent) => {
                let key = parent.to_ascii_lowercase();
                if registry.get(parent).is_none() {
                    others.insert(key.clone(), parent.clone());
                }
                children.entry(key).or_default().push(class);
            }
        }
    }
    let mut waiting: Vec<(usize, String, String)> = Vec::new();
    for (key, parent) in others.into_iter().rev() {
        waiting.push((0, key, format!("{parent} (missing)")));
    }
    for class in roots.into_iter().rev() {
        waiting.push((0, class.path().to_ascii_lowercase(), line(class)));
    }
    let mut shown = 0;
    // Each class hangs under one parent and is printed once, circles not at all.
    while let Some((depth, key, text)) = waiting.pop() {
        out.line(format!("{}{text}", "  ".repeat(depth.min(DEEPEST_INDENT))))?;
        shown += 1;
        for child in children.remove(&key).unwrap_or_default().into_iter().rev() {
            waiting.push((depth + 1, child.path().to_ascii_lowercase(), line(child)));
        }
    }
    for class in children.into_values().flatten() {
        out.line(format!("{} (derives from itself)", line(class)))?;
        shown += 1;
    }
    if registry.is_ue4() {
        for structure in registry.structs() {
            let fields = count(structure.fields.len() as u64, "field", "fields");
            out.line(format!("struct {} ({fields})", structure.full_path()))?;
        }
        for enumeration in registry.enums() {
            let values = count(enumeration.values.len() as u64, "value", "values");
            out.line(format!("enum {} ({values})", enumeration.path))?;
        }
    }
    out.summary(count(shown, "class", "classes"))
}

fn line(class: &ClassInfo) -> String {
    let native = if class.native { ", native" } else { "" };
    let fields = count(class.fields.len() as u64, "property", "properties");
    format!("{} ({fields}{native})", class.path())
}
