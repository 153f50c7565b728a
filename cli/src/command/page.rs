//! `upk page`: the page that shows packages in a browser.

mod address;
mod embedded;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::Error;

use self::address::Address;
use self::embedded::Embedded;
use crate::args::{self, OpenArgs};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, count, grouped};
use crate::target::{OverwriteArgs, Target};

/// The page, empty where `upk` was built without it.
const PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.html"));

/// Open the page that shows and changes packages in a browser, or write it: one file, which needs no server
///
/// With packages it opens with them: they stand within the file, with their companions, so that it can be sent on. At most
/// 64 MiB of packages fit; more are dropped on the page. An object behind the last one is where it opens.
///
/// Without -o it is written to a folder of its own among the temporary files, and the browser is told to open it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk page -o page.html             then open it and drop packages on it
  upk page Skins.utx -o skins.html  one file with the package in it
  upk page Map.unr Light0 -o light.html")]
pub struct Page {
    /// Packages, or folders of them; an object of the last one behind them
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Take this page, which web/build has made, instead of that in `upk` (default: what UPK_PAGE names)
    #[arg(long, value_name = "PAGE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

impl Page {
    /// Writes it, and has it opened where no file was named.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let named = self.page.clone().or_else(|| std::env::var_os("UPK_PAGE").map(PathBuf::from));
        let built = match &named {
            Some(file) => Cow::Owned(args::read(file)?.to_vec()),
            None => Cow::Borrowed(PAGE),
        };
        if built.is_empty() {
            let next = "--page FILE takes one that web/build has made; with --features page it comes into upk";
            let reason = "this upk was built without the page";
            return Err(Failure::failed(format!("{reason}\n  next: {next}")));
        }
        let (files, object) = self.given()?;
        let embedded = Embedded::collect(files, self.open.mappings.as_deref())?;
        let address = object.map(|object| Address::new(embedded.last(), &object));
        let own = self.output.is_none().then(of_its_own).transpose()?;
        let output = match (&self.output, &own) {
            (Some(output), _) => output.clone(),
            (None, own) => {
                own.as_ref().map(tempfile::TempDir::path).unwrap_or(Path::new("")).join("page.html")
            }
        };
        let target = Target::new(&output, self.overwrite.overwrite, Form::Any, out)?;
        let reading = embedded::reading(self.open.game, self.open.engine);
        let mut bytes = 0;
        target.write_by(out, |to| {
            bytes = embedded.write(&built, address.as_ref(), &reading, to)?;
            Ok(())
        })?;
        let is_opened = own.is_some();
        if let Some(own) = own {
            show(&output)?;
            // It stays: the browser reads it when this has ended.
            let _ = own.keep();
        }
        let (shown, files) = (target.shown(), embedded.len() as u64);
        if out.is_json() {
            let report =
                json!({ "output": shown, "bytes": bytes, "files": files, "opened": is_opened });
            out.object(&report)?;
        } else if target.path().is_some() {
            let held = match files {
                0 => String::new(),
                files => format!(", with {} in it", count(files, "file", "files")),
            };
            let next = if is_opened { "the browser opens it" } else { "open it in a browser" };
            out.summary(format!("wrote {shown}: {} bytes{held}; {next}", grouped(bytes)))?;
        }
        Ok(Outcome::Fine)
    }

    /// The files, and where the page opens: what is behind them and no file is an object of the last one.
    fn given(&self) -> Result<(&[PathBuf], Option<String>), Failure> {
        let [files @ .., last] = &self.files[..] else { return Ok((&[], None)) };
        let is_object = last.components().count() == 1 && !last.exists();
        let (Some(file), Some(object), true) = (files.last(), last.to_str(), is_object) else {
            return Ok((&self.files, None));
        };
        let package = self.open.open_partly(file)?;
        let row = package.find_export(object)?;
        Ok((files, Some(package.exports().path(row))))
    }
}

/// A folder of its own among the temporary files, with a name that is unique.
fn of_its_own() -> Result<tempfile::TempDir, Failure> {
    let folder = tempfile::Builder::new().prefix("upk-page-").tempdir();
    Ok(folder.map_err(|error| Error::io(&std::env::temp_dir(), error))?)
}

/// Has the browser open it.
fn show(file: &Path) -> Result<(), Failure> {
    open::that_detached(file).map_err(|error| {
        let shown = file.display();
        Failure::failed(format!("no browser opens it: {error}\n  next: open {shown} in one"))
    })
}
