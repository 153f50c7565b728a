//! New assets of UE4 and UE5: tables from CSV, workbooks and JSON, objects with properties.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use unreal_packages::content::{Column, TableEdits, TableFormat, rows_from, strings_from};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{NewAsset, NewRows};
use unreal_packages::package::{Package, Saved, ZenContext};
use unreal_packages::property::Mappings;

use super::assignments::Assignments;
use super::made::Made;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::target::Target;
use crate::{args, input};

/// Where the asset goes and which release is to read it.
#[derive(Debug, Args)]
pub struct AssetTarget {
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// A cooked package of the game: what is made is stored as that is, with --mappings where it leaves types out;
    /// without this option packages are made as the editor saves them, for the release that --engine names
    #[arg(long, value_name = "FILE")]
    like: Option<PathBuf>,
    /// As games of the release that --engine names store theirs: cooked, and with --mappings without names and types of
    /// properties
    #[arg(long, conflicts_with = "like")]
    cooked: bool,
    /// In the form that IoStore containers hold, from 4.26 on; with --cooked or --like
    #[arg(long)]
    zen: bool,
    #[command(flatten)]
    open: OpenArgs,
    /// The package: /Game/Folder/Name; its last part is the asset's name
    #[arg(long, value_name = "PATH")]
    pub package: String,
    /// Replace a file that is there
    #[arg(long)]
    overwrite: bool,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// A data table from a file.
#[derive(Debug, Args)]
pub struct DataTable {
    /// The rows: CSV or a workbook (.xlsx) with the head ---,Damage:float,Title:text, or JSON as `upk extract` writes it;
    /// types may be left out where --mappings declares the struct
    input: PathBuf,
    /// The struct of the rows: /Script/Module.Struct, or /Game/Folder/S_Row.S_Row
    #[arg(long, value_name = "PATH")]
    row_struct: String,
    /// The type of a column, where neither the head nor --mappings says it: Damage:float
    #[arg(long = "column", value_name = "NAME:TYPE", conflicts_with_all = ["like", "cooked"])]
    columns: Vec<Column>,
    #[command(flatten)]
    target: AssetTarget,
}

/// A string table from a file.
#[derive(Debug, Args)]
pub struct StringTable {
    /// The texts: CSV or a workbook (.xlsx) with the columns Key and SourceString, or JSON as `upk extract` writes it
    input: PathBuf,
    /// Where the keys belong; that of the JSON or the asset's name if not said
    #[arg(long)]
    namespace: Option<String>,
    #[command(flatten)]
    target: AssetTarget,
}

/// An object with properties.
#[derive(Debug, Args)]
pub struct Asset {
    /// Its class: /Script/Module.Class
    #[arg(long, value_name = "PATH")]
    class: String,
    /// A property with its value: Damage:float=12.5; with --like or --cooked a type that the game's classes say may be left
    /// out
    #[arg(long = "set", value_name = "NAME:TYPE=VALUE")]
    properties: Vec<String>,
    #[command(flatten)]
    target: AssetTarget,
}

/// The format of a table, as the extension says; of standard input as the first characters do.
fn format_of(input: &Path, bytes: &[u8]) -> Result<TableFormat, Failure> {
    if input::is_standard(input) {
        return Ok(TableFormat::detect(bytes));
    }
    let extension = input.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    extension.parse().map_err(|_| {
        let shown = input.display();
        let next = "name a file that ends in .csv, .xlsx or .json";
        Failure::usage(format!("'{shown}' is no table\n  next: {next}"))
    })
}

fn about(input: &Path) -> impl Fn(unreal_packages::Error) -> Failure {
    let shown = input.display().to_string();
    move |error| Failure::Failed(anyhow::Error::new(error).context(shown.clone()))
}

impl DataTable {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let bytes = args::read(&self.input)?;
        let format = format_of(&self.input, &bytes)?;
        if self.target.is_cooked() {
            // Mappings or the game's own tables say the types of columns, which a file need not.
            let rows = NewRows::of(&self.row_struct);
            let mut package =
                self.target.make(&NewAsset::data_table(&self.target.package, rows))?;
            package
                .edit(|edit| {
                    let row = edit.find_export(self.target.asset_name())?;
                    edit.replace_table(row, &bytes, format)
                })
                .map_err(about(&self.input))?;
            return self.target.finish(package, out);
        }
        let mappings = self.target.mappings()?;
        let mut columns = self.columns.clone();
        if let Some(mappings) = &mappings {
            columns.extend(Column::of_struct(mappings, &self.row_struct)?);
        }
        let rows = rows_from(&bytes, format, &self.row_struct, &columns);
        let rows = rows.map_err(about(&self.input))?;
        let asset = NewAsset::data_table(&self.target.package, rows);
        self.target.finish(self.target.make_with(&asset, mappings)?, out)
    }
}

impl StringTable {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let bytes = args::read(&self.input)?;
        let strings = strings_from(&bytes, format_of(&self.input, &bytes)?);
        let (namespace, entries) = strings.map_err(about(&self.input))?;
        let name = self.target.asset_name();
        let namespace = self.namespace.clone().or(namespace).unwrap_or_else(|| name.to_owned());
        let asset = NewAsset::string_table(&self.target.package, &namespace, entries);
        self.target.finish(self.target.make(&asset)?, out)
    }
}

impl Asset {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let assigned = Assignments::read(&self.properties, self.target.is_cooked())?;
        let asset = NewAsset::object(&self.target.package, &self.class);
        if !self.target.is_cooked() {
            let package = self.target.make(&assigned.given_to(asset))?;
            return self.target.finish(package, out);
        }
        let mut package = self.target.make(&asset)?;
        package.edit(|edit| assigned.set_on(edit, self.target.asset_name()))?;
        self.target.finish(package, out)
    }
}

impl AssetTarget {
    /// The name of the asset: the last part of its package's path.
    pub fn asset_name(&self) -> &str {
        self.package.rsplit('/').next().unwrap_or_default()
    }

    /// Whether it is stored as games store theirs.
    pub fn is_cooked(&self) -> bool {
        self.cooked || self.like.is_some()
    }

    /// The mappings that are named.
    fn mappings(&self) -> Result<Option<Arc<Mappings>>, Failure> {
        self.open.mappings.as_deref().map(args::mappings).transpose()
    }

    /// Makes the package.
    pub fn make(&self, asset: &NewAsset) -> Result<Package, Failure> {
        self.make_with(asset, None)
    }

    /// Makes the package; as the editor saves it, with what these mappings declare.
    fn make_with(
        &self,
        asset: &NewAsset,
        declared: Option<Arc<Mappings>>,
    ) -> Result<Package, Failure> {
        if let Some(like) = &self.like {
            return Ok(asset.build_like(&self.open.open(like)?)?);
        }
        let words = self.open.words();
        let may_declare = self.cooked || declared.is_some();
        let is_known =
            |option: &OsString| *option == "--engine" || may_declare && *option == "--mappings";
        if let Some([option, _]) = words.iter().find(|[option, _]| !is_known(option)) {
            let option = option.display();
            return Err(Failure::usage(format!(
                "{option} says how a package is read, and none is\n  next: name one of the game's with --like"
            )));
        }
        let engine = self.open.engine.ok_or_else(|| {
            Failure::usage(
                "nothing says how the package is to be stored\n  next: name the release of the editor or the game that \
                 is to read it (--engine 5.4), or a cooked package of the game (--like FILE)",
            )
        })?;
        if self.cooked {
            return Ok(asset.build_cooked(engine, self.mappings()?)?);
        }
        Ok(match declared {
            Some(mappings) => asset.build_with(engine, mappings)?,
            None => asset.build(engine)?,
        })
    }

    /// The package as containers hold it.
    fn zen_form(&self, package: &Package) -> Result<Saved, Failure> {
        if !self.is_cooked() {
            let next = "say how games store theirs (--cooked, --like FILE)";
            return Err(Failure::usage(format!(
                "containers hold cooked packages, and this one is made as the editor saves them\n  next: {next}"
            )));
        }
        let context = ZenContext::new().name(&self.package);
        Ok(context.save(package, &Default::default())?.1)
    }

    /// Checks that the package re-saves identically, writes, reports.
    pub fn finish(&self, package: Package, out: &mut Output) -> CommandResult {
        let target = Target::new(&self.output, self.overwrite || self.dry_run, Form::Ue4And5, out)?;
        let saved = match self.zen {
            true => self.zen_form(&package)?,
            false => package.save(&Default::default())?,
        };
        let bytes = grouped(saved.bytes.len() as u64);
        let engine = self.open.engine.filter(|_| self.like.is_none());
        let stored = match (engine, &self.like) {
            (Some(engine), _) if self.cooked => {
                format!("as games of Unreal Engine {engine} store theirs")
            }
            (Some(engine), _) => format!("for Unreal Engine {engine}"),
            (None, Some(like)) => format!("stored like {}", like.display()),
            (None, None) => String::new(),
        };
        let made = Made {
            target,
            dry_run: self.dry_run,
            saved: &saved,
            exports: package.exports().len(),
            facts: json!({ "engine": engine, "like": self.like, "package": self.package }),
            what: format!("{}, {bytes} bytes, {stored}", self.package),
        };
        let is_same = package.reopened(saved.bytes.clone())?.to_bytes()? == saved.bytes;
        made.finish(is_same, out)
    }
}
