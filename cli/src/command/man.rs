//! `upk man`: manual pages.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man as Page;
use clap_mangen::roff::{Roff, bold, roman};
use serde_json::json;

use crate::failure::{CommandResult, Failure, Outcome};
use crate::help;
use crate::output::{Output, count};
use crate::places::Places;

/// Write the manual pages: upk.1 and one for each command
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk man ~/.local/share/man/man1
  upk man pages --overwrite")]
pub struct Man {
    /// The folder to write them to
    #[arg(value_name = "DIR")]
    output: PathBuf,
    /// Replace pages that are there
    #[arg(long)]
    overwrite: bool,
}

impl Man {
    /// Writes one page after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut command = without_help(help::command());
        command.build();
        let mut places = Places::new(&self.output, self.overwrite, false, out);
        let mut written = 0;
        for (name, page) in pages(&command)? {
            let file = places.take(&name, "1")?;
            written += u64::from(places.try_write(&file, &page, out)?);
        }
        places.finish(out)?;
        let folder = self.output.display().to_string();
        match out.is_json() {
            true => out.object(&json!({ "output": folder, "pages": written }))?,
            false => {
                out.summary(format!("wrote {} to {folder}", count(written, "page", "pages")))?
            }
        }
        Ok(if places.failed() == 0 { Outcome::Fine } else { Outcome::Wrong })
    }
}

/// The commands that do something: what clap adds to show their help has no page.
fn without_help(command: Command) -> Command {
    let names: Vec<_> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    let command = command.disable_help_subcommand(true);
    names.iter().fold(command, |command, name| command.mut_subcommand(name, without_help))
}

/// The pages of a command and of those within it, by name: `upk`, `upk-info`, `upk-cache-list`.
fn pages(command: &Command) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut pages = vec![(page_name(command), page(command)?)];
    for within in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        pages.extend(self::pages(within)?);
    }
    Ok(pages)
}

/// The name under which a page is found.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_owned()
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let page = Page::new(command.clone())
        .title(page_name(command).to_uppercase())
        .source(format!("upk {}", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    if let Some(help) = command.get_after_help() {
        behind_options(&help.to_string()).to_writer(&mut text)?;
    }
    Ok(text)
}

/// What stands behind the options in the help, lines as they are: examples, and what else has a heading.
fn behind_options(help: &str) -> Roff {
    let mut roff = Roff::new();
    let mut is_literal = false;
    for line in help.lines() {
        let heading = line.strip_suffix(':').filter(|line| !line.starts_with(' '));
        if let Some(heading) = heading {
            if is_literal {
                roff.control("fi", []);
            }
            roff.control("SH", [&*heading.to_uppercase()]);
            roff.control("nf", []);
            is_literal = true;
        } else {
            roff.text([if line.trim_start().starts_with("upk ") {
                bold(line)
            } else {
                roman(line)
            }]);
        }
    }
    if is_literal {
        roff.control("fi", []);
    }
    roff
}
