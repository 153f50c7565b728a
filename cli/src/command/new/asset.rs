//! New assets of UE4 and UE5: tables from CSV, workbooks and JSON, objects with properties.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::EngineRelease;
use unreal_packages::content::{Column, TableFormat, rows_from, strings_from};
use unreal_packages::generate::NewAsset;
use unreal_packages::package::Package;

use super::made::Made;
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
    /// The engine release that is to read it: 4.27, 5.4
    #[arg(long, value_name = "RELEASE")]
    engine: EngineRelease,
    /// The package: /Game/Folder/Name; its last part is the asset's name
    #[arg(long, value_name = "PATH")]
    package: String,
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
    /// The rows: CSV or a workbook (.xlsx) with the head ---,Damage:float,Title:text, or JSON as `upk extract` writes it
    input: PathBuf,
    /// The struct of the rows: /Script/Module.Struct, or /Game/Folder/S_Row.S_Row
    #[arg(long, value_name = "PATH")]
    row_struct: String,
    /// The type of a column, where the head does not say it: Damage:float
    #[arg(long = "column", value_name = "NAME:TYPE")]
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
    /// A property with its value: Damage:float=12.5
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
        let rows = rows_from(&bytes, format, &self.row_struct, &self.columns);
        let rows = rows.map_err(about(&self.input))?;
        self.target.finish(&NewAsset::data_table(&self.target.package, rows), out)
    }
}

impl StringTable {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let bytes = args::read(&self.input)?;
        let strings = strings_from(&bytes, format_of(&self.input, &bytes)?);
        let (namespace, entries) = strings.map_err(about(&self.input))?;
        let name = self.target.package.rsplit('/').next().unwrap_or_default();
        let namespace = self.namespace.clone().or(namespace).unwrap_or_else(|| name.to_owned());
        let asset = NewAsset::string_table(&self.target.package, &namespace, entries);
        self.target.finish(&asset, out)
    }
}

impl Asset {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut asset = NewAsset::object(&self.target.package, &self.class);
        for assigned in &self.properties {
            let (column, value) = assigned.split_once('=').ok_or_else(|| {
                let next = "write NAME:TYPE=VALUE, as in --set Damage:float=12.5";
                Failure::usage(format!("'{assigned}' has no value\n  next: {next}"))
            })?;
            let column: Column = column.parse().map_err(|error: unreal_packages::Error| {
                Failure::Usage(anyhow::Error::new(error).context(assigned.clone()))
            })?;
            asset = asset.property(&column.name, column.property_type, value);
        }
        self.target.finish(&asset, out)
    }
}

impl AssetTarget {
    /// Makes the package, checks that it opens and re-saves identically, writes, reports.
    fn finish(&self, asset: &NewAsset, out: &mut Output) -> CommandResult {
        let target = Target::new(&self.output, self.overwrite || self.dry_run, Form::Ue4And5, out)?;
        let package: Package = asset.build(self.engine)?;
        let saved = package.save(&Default::default())?;
        let bytes = grouped(saved.bytes.len() as u64);
        let made = Made {
            target,
            dry_run: self.dry_run,
            saved: &saved,
            exports: package.exports().len(),
            facts: json!({ "engine": self.engine, "package": self.package }),
            what: format!("{}, {bytes} bytes, for Unreal Engine {}", self.package, self.engine),
        };
        made.finish(saved.bytes == package.source(), out)
    }
}
