//! `upk page`: the page that shows packages in a browser.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::target::{OverwriteArgs, Target};

/// The page, empty where web/build had not been run.
const PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.html"));

/// Write the page that shows and changes packages in a browser: one file, which needs no server and no network
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk page -o page.html     then open it and drop packages on it")]
pub struct Page {
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

impl Page {
    /// Writes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if PAGE.is_empty() {
            let next = "run web/build, then build upk once more";
            let reason = "this upk was built before the page was";
            return Err(Failure::failed(format!("{reason}\n  next: {next}")));
        }
        let target = Target::new(&self.output, self.overwrite.overwrite, Form::Any, out)?;
        target.write(PAGE, out)?;
        let (shown, bytes) = (target.shown(), PAGE.len() as u64);
        if out.is_json() {
            out.object(&json!({ "output": shown, "bytes": bytes }))?;
        } else if target.path().is_some() {
            out.summary(format!("wrote {shown}: {} bytes; open it in a browser", grouped(bytes)))?;
        }
        Ok(Outcome::Fine)
    }
}
