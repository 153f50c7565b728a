//! `upk git-setup`: packages in version control.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use clap::Args;
use serde_json::json;
use unreal_packages::file::{self, FileOrigin, Replacement};

use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Make git show packages as text and merge them with this tool
///
/// Writes two things: `diff.upk` and `merge.upk` into git's configuration, which name the commands, and lines
/// into .gitattributes, which say for which files. What is there stays: a key that has another value, and files
/// that another driver is named for, such as Git LFS, are reported and left alone. The lines in .gitattributes are
/// to be committed; the configuration is each user's own, so that everybody runs this once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk git-setup
  upk git-setup --dry-run
  upk git-setup --global --dry-run   for all repositories of this user")]
pub struct GitSetup {
    /// For all repositories of this user: its own configuration and attributes
    #[arg(long)]
    global: bool,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The extensions of packages.
const EXTENSIONS: &[&str] = &[
    "uasset", "umap", "u", "upk", "udk", "pcc", "unr", "ut2", "ut3", "utx", "usx", "uax", "umx",
    "ukx", "usm",
];
/// What is set in git's configuration.
const KEYS: &[(&str, &str)] = &[
    // Names in a repository may begin with a dash.
    ("diff.upk.textconv", "upk dump --canonical --"),
    ("merge.upk.name", "Unreal packages, merged by upk"),
    ("merge.upk.driver", "upk merge -o %A --path=%P -- %O %A %B"),
];
/// What former versions have set, which took such names for options.
const FORMER: &[&str] = &["upk dump --canonical", "upk merge %O %A %B -o %A --path %P"];
/// What stands before the lines that are added.
const REMARK: &str = "# Unreal packages: shown and merged by upk (upk git-setup)";

/// What is to be written.
#[derive(Default)]
struct Plan {
    keys: Vec<(&'static str, &'static str)>,
    lines: Vec<String>,
    /// What stays as it is, and why.
    kept: Vec<String>,
}

impl GitSetup {
    /// Writes what is missing.
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
        let mut plan = Plan::default();
        for &(key, value) in KEYS {
            match self.config(&["--get", key])? {
                None => plan.keys.push((key, value)),
                Some(known) if known == value => {}
                Some(known) if FORMER.contains(&known.as_str()) => plan.keys.push((key, value)),
                Some(known) => plan.kept.push(format!("{key} is '{known}' already")),
            }
        }
        for extension in EXTENSIONS {
            match known_driver(&text, extension) {
                None => plan.lines.push(format!("*.{extension} diff=upk merge=upk -text")),
                Some((_, true)) => {}
                Some((line, false)) => {
                    plan.kept.push(format!("*.{extension} has a driver in line {line} already"));
                }
            }
        }
        if !self.dry_run {
            for (key, value) in &plan.keys {
                self.config(&[key, value])?;
            }
            if !plan.lines.is_empty() {
                append(&attributes, self.origin(), &text, &plan.lines)?;
            }
        }
        self.report(&plan, &attributes, out)
    }

    fn report(&self, plan: &Plan, attributes: &Path, out: &mut Output) -> CommandResult {
        let file = attributes.display().to_string();
        if out.is_json() {
            let keys: Vec<_> = plan
                .keys
                .iter()
                .map(|(key, value)| json!({ "key": key, "value": value }))
                .collect();
            out.object(&json!({
                "global": self.global, "dry_run": self.dry_run, "attributes": file,
                "config": keys, "lines": plan.lines, "kept": plan.kept,
            }))?;
            return Ok(Outcome::Fine);
        }
        let verb = if self.dry_run { "would write" } else { "wrote" };
        let scope = if self.global { "git's configuration of this user" } else { ".git/config" };
        for (key, value) in &plan.keys {
            out.line(format!("{verb} to {scope}: {key} = {value}"))?;
        }
        for line in &plan.lines {
            out.line(format!("{verb} to {file}: {line}"))?;
        }
        for kept in &plan.kept {
            out.line(format!("left as it is: {kept}"))?;
        }
        if plan.keys.is_empty() && plan.lines.is_empty() {
            out.line("everything is set up")?;
        }
        Ok(Outcome::Fine)
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

/// What git prints; `None` where it says no.
fn git(arguments: &[&str]) -> Result<Option<String>, Failure> {
    let done = Process::new("git").args(arguments).output().map_err(|error| {
        let next = "install git, or add it to PATH";
        Failure::usage(format!("git can't be run: {error}\n  next: {next}"))
    })?;
    if done.status.success() {
        let text = String::from_utf8_lossy(&done.stdout);
        return Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()));
    }
    let error = String::from_utf8_lossy(&done.stderr);
    let reason = error.trim();
    match reason.is_empty() || reason.contains("not a git repository") {
        true => Ok(None),
        false => Err(Failure::failed(format!("git {}: {reason}", arguments.join(" ")))),
    }
}

/// The last line that names drivers for files of this extension, and whether it names these.
fn known_driver(text: &str, extension: &str) -> Option<(usize, bool)> {
    let mut found = None;
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        let pattern = words.next().unwrap_or_default().trim_matches('"');
        if !pattern.eq_ignore_ascii_case(&format!("*.{extension}")) {
            continue;
        }
        let words: Vec<&str> = words.collect();
        let names = |key: &str| {
            words
                .iter()
                .any(|word| word.trim_start_matches(['-', '!']).split('=').next() == Some(key))
        };
        if names("diff") || names("merge") || words.contains(&"binary") {
            let is_ours = words.contains(&"diff=upk") && words.contains(&"merge=upk");
            found = Some((number, is_ours));
        }
    }
    found
}

/// Adds lines behind all others, ended as these are.
fn append(file: &Path, origin: FileOrigin, text: &str, lines: &[String]) -> Result<(), Failure> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut whole = text.to_owned();
    if !whole.is_empty() && !whole.ends_with('\n') {
        whole.push_str(end);
    }
    if !whole.contains(REMARK) {
        whole.push_str(REMARK);
        whole.push_str(end);
    }
    for line in lines {
        whole.push_str(line);
        whole.push_str(end);
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    Replacement::new(file, whole.as_bytes()).origin(origin).overwrite(true).commit()?;
    Ok(())
}
