//! `upk git-setup`: packages in version control.

mod attributes;
mod check;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::file::{self, FileOrigin};

use self::attributes::{EXTENSIONS, KnownDriver, known_driver};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::lfs::git;
use crate::output::Output;

/// Make git show packages as text and merge them with this tool
///
/// Writes two things: `diff.upk` and `merge.upk` into git's configuration, which name the commands, and lines
/// into .gitattributes, which say for which files. What is there stays: a key that has another value, and files
/// that another driver is named for, are reported and left alone. Files that Git LFS stores stay with it: the lines
/// behind its own say only how they are shown and merged. The lines in .gitattributes are to be committed; the
/// configuration is each user's own, so that everybody runs this once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk git-setup
  upk git-setup --dry-run
  upk git-setup --check              in CI: is everything there, and does no other line overrule it?
  upk git-setup --remove             take away what it has written
  upk git-setup --global --dry-run   for all repositories of this user

Exit codes: 0 fine; 1 --check finds that something is missing; 2 no repository.")]
pub struct GitSetup {
    /// For all repositories of this user: its own configuration and attributes
    #[arg(long)]
    global: bool,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Write nothing, and say what is missing; exit code 1 where something is
    #[arg(long, conflicts_with_all = ["dry_run", "remove"])]
    check: bool,
    /// Take away what this command has written, and nothing else
    #[arg(long)]
    remove: bool,
}

/// What is set in git's configuration.
const KEYS: &[(&str, &str)] = &[
    // Names in a repository may begin with a dash.
    ("diff.upk.textconv", "upk dump --canonical --"),
    ("merge.upk.name", "Unreal packages, merged by upk"),
    ("merge.upk.driver", "upk merge -o %A --path=%P -- %O %A %B"),
];
/// What former versions have set, which took such names for options.
const FORMER: &[&str] = &["upk dump --canonical", "upk merge %O %A %B -o %A --path %P"];

/// What is to be written, or taken away.
#[derive(Default)]
struct Plan {
    keys: Vec<(&'static str, String)>,
    lines: Vec<String>,
    /// What stays as it is, and why.
    kept: Vec<String>,
}

impl GitSetup {
    /// Writes what is missing, says it, or takes away what was written.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let attributes = self.attributes()?;
        if self.origin() == FileOrigin::Found && attributes.is_symlink() {
            let (shown, next) = (attributes.display(), "put a file in its place, or pass --global");
            return Err(Failure::failed(format!(
                "'{shown}' is a link, which git does not follow\n  next: {next}"
            )));
        }
        let text = match file::read_found(&attributes) {
            Ok((bytes, _)) => String::from_utf8(bytes.into()).map_err(|_| {
                let shown = attributes.display();
                Failure::failed(format!("'{shown}' is not UTF-8\n  next: save it as UTF-8"))
            })?,
            Err(error) if error.is_not_found() => String::new(),
            Err(error) => return Err(error.into()),
        };
        if self.remove {
            return self.take_away(&attributes, &text, out);
        }
        let plan = self.plan(&text)?;
        if self.check {
            return check::report(self, &plan, &attributes, out);
        }
        if !self.dry_run {
            for (key, value) in &plan.keys {
                self.config(&[key, value])?;
            }
            if !plan.lines.is_empty() {
                attributes::append(&attributes, self.origin(), &text, &plan.lines)?;
            }
        }
        self.report(&plan, &attributes, out)
    }

    /// What is missing.
    fn plan(&self, text: &str) -> Result<Plan, Failure> {
        let mut plan = Plan::default();
        for &(key, value) in KEYS {
            match self.config(&["--get", key])? {
                None => plan.keys.push((key, value.to_owned())),
                Some(known) if is_ours(&known, value) => {}
                Some(known) if FORMER.contains(&known.as_str()) => {
                    plan.keys.push((key, value.to_owned()));
                }
                Some(known) => plan.kept.push(format!("{key} is '{known}' already")),
            }
        }
        for extension in EXTENSIONS {
            match known_driver(text, extension) {
                None => plan.lines.push(attributes::line(extension, false)),
                Some(KnownDriver::Lfs) => plan.lines.push(attributes::line(extension, true)),
                Some(KnownDriver::Ours) => {}
                Some(KnownDriver::Other(line)) => {
                    plan.kept.push(format!("*.{extension} has a driver in line {line} already"));
                }
            }
        }
        Ok(plan)
    }

    /// Takes away the keys and lines that this command writes; those that were changed since are somebody else's.
    fn take_away(&self, attributes: &Path, text: &str, out: &mut Output) -> CommandResult {
        let mut plan = Plan::default();
        for &(key, value) in KEYS {
            match self.config(&["--get", key])? {
                None => {}
                Some(known) if known == value || FORMER.contains(&known.as_str()) => {
                    plan.keys.push((key, known));
                }
                Some(known) => plan.kept.push(format!("{key} is '{known}'")),
            }
        }
        let (ours, rest) = attributes::without_ours(text);
        for extension in EXTENSIONS {
            if known_driver(&rest, extension) == Some(KnownDriver::Ours) {
                plan.kept.push(format!("a line for *.{extension} that was changed since"));
            }
        }
        plan.lines = ours;
        if !self.dry_run {
            for (key, _) in &plan.keys {
                self.config(&["--unset", key])?;
            }
            if !plan.lines.is_empty() {
                attributes::write(attributes, self.origin(), &rest)?;
            }
        }
        self.report(&plan, attributes, out)
    }

    fn report(&self, plan: &Plan, attributes: &Path, out: &mut Output) -> CommandResult {
        let file = attributes.display().to_string();
        if out.is_json() {
            out.object(&self.json(plan, &file))?;
            return Ok(Outcome::Fine);
        }
        let verb = match (self.remove, self.dry_run) {
            (false, true) => "would write to",
            (false, false) => "wrote to",
            (true, true) => "would remove from",
            (true, false) => "removed from",
        };
        for (key, value) in &plan.keys {
            out.line(format!("{verb} {}: {key} = {value}", self.scope()))?;
        }
        for line in &plan.lines {
            out.line(format!("{verb} {file}: {line}"))?;
        }
        for kept in &plan.kept {
            out.line(format!("left as it is: {kept}"))?;
        }
        if plan.keys.is_empty() && plan.lines.is_empty() {
            out.line(match self.remove {
                true => "nothing of it is there",
                false => "everything is set up",
            })?;
        }
        Ok(Outcome::Fine)
    }

    fn json(&self, plan: &Plan, file: &str) -> serde_json::Value {
        let keys: Vec<_> =
            plan.keys.iter().map(|(key, value)| json!({ "key": key, "value": value })).collect();
        json!({
            "global": self.global, "dry_run": self.dry_run, "check": self.check, "remove": self.remove,
            "attributes": file, "config": keys, "lines": plan.lines, "kept": plan.kept,
        })
    }

    /// Where the keys are.
    fn scope(&self) -> &'static str {
        if self.global { "git's configuration of this user" } else { ".git/config" }
    }

    /// Where the file of attributes comes from: in a repository it came along with it, and the user's own may be a
    /// link to where settings are kept.
    fn origin(&self) -> FileOrigin {
        if self.global { FileOrigin::Named } else { FileOrigin::Found }
    }

    /// The file of attributes.
    fn attributes(&self) -> Result<PathBuf, Failure> {
        if !self.global {
            let top = git(&["rev-parse", "--show-toplevel"])?.ok_or_else(|| {
                Failure::usage(
                    "this is no working tree of a git repository\n  next: run it in one (git init makes one), or \
                     pass --global for all repositories of this user",
                )
            })?;
            return Ok(PathBuf::from(top).join(".gitattributes"));
        }
        let known = git(&["config", "--global", "--type=path", "--get", "core.attributesFile"])?;
        if let Some(known) = known {
            return Ok(known.into());
        }
        let folder = |name: &str| std::env::var_os(name).filter(|folder| !folder.is_empty());
        let folder = folder("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| {
            let home = folder("HOME").or_else(|| folder("USERPROFILE"))?;
            Some(PathBuf::from(home).join(".config"))
        });
        let folder = folder.ok_or_else(|| {
            Failure::usage("no home folder is known\n  next: set HOME, or run it without --global")
        })?;
        Ok(folder.join("git").join("attributes"))
    }

    /// `git config` with these arguments; `None` for a key that is not set.
    fn config(&self, arguments: &[&str]) -> Result<Option<String>, Failure> {
        let scope = if self.global { "--global" } else { "--local" };
        git(&[&["config", scope], arguments].concat())
    }
}

/// Whether a command is the one that is set, by whatever path it is called.
fn is_ours(known: &str, value: &str) -> bool {
    let arguments = |text: &str| text.split_once(' ').map(|(_, rest)| rest.to_owned());
    let program = known.split_once(' ').map_or(known, |(program, _)| program);
    known == value
        || value.starts_with("upk ")
            && arguments(known) == arguments(value)
            && Path::new(program).file_stem().is_some_and(|stem| stem == "upk")
}
