//! `upk doctor`: what is wrong in a folder of packages.

mod baseline;
mod file;
mod fix;
mod own_rules;
mod report;
mod sarif;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::environment::{Finding, Severity};
use unreal_packages::scan::{ScanFinding, check_tables};

use self::baseline::{Baseline, fingerprint};
use super::env::environment;
use crate::args::OpenArgs;
use crate::config::Config;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};
use crate::progress;

/// Look for what is wrong in a game's folder: missing packages and objects, clashing names and GUIDs
///
/// Search paths, build order, server packages and cache come from the game's ini file where there is one.
/// Files that can't be opened are findings like the others. Redirectors are followed to what they lead to.
/// Of a single package its bytes, positions and bodies are looked at, and with --env what it imports.
/// In UE4 and UE5 what only code declares (`/Script/...`) needs no file, and soft references to what is not
/// there are findings of their own. Packages below a root whose content is not at hand (`/Engine/`, a plugin of the
/// engine) are counted at the end and are no findings; name the engine's folder as well and they are looked at.
///
/// Each finding has a code, and docs/doctor.md a section for each. Rules of one's own stand in upk.toml as [[rules]].
///
/// With --scan the tables of `upk scan` are looked at instead: nothing is opened, and what the scan has found in each
/// package is there as well. A baseline holds findings that are known: they are not reported again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk doctor ~/Games/UnrealTournament
  upk doctor ~/Games/UT2004/System/UT2004.ini
  upk doctor Map.unr --env ~/Games/UnrealTournament      one package, and what it needs
  upk doctor ~/Projects/MyProject             each content folder under its mount: /Game/, /Engine/, plugins
  upk doctor ~/Projects/MyProject --unused               and the packages that nothing leads to
  upk doctor ~/Projects/MyProject --fix --dry-run        what can be mended without a guess
  upk doctor mods --json | jq -r 'select(.finding == \"package-missing\") | .package'
  upk doctor --scan nightly --format github --fail-on error     in CI, after upk scan
  upk doctor --scan nightly --write-baseline known.json         what is wrong today is known ...
  upk doctor --scan nightly --baseline known.json --format sarif    ... and only what is new counts")]
pub struct Doctor {
    /// Game folders, ini files, folders of packages, or single packages
    #[arg(required_unless_present = "scan", value_name = "PATH")]
    folders: Vec<PathBuf>,
    /// Look at the tables in this folder, which `upk scan` has written
    #[arg(long, value_name = "OUT", conflicts_with_all = ["folders", "env"])]
    scan: Option<PathBuf>,
    /// Also packages of UE4 and UE5 that nothing leads to: no map, no text in Config or Source, no package in use
    #[arg(long, conflicts_with = "scan")]
    unused: bool,
    /// Mend what needs no guess: references that lead through redirectors, and soft paths of which one package alone has
    /// the name and all that is referred to; all packages or none, each with its backup
    #[arg(long, conflicts_with_all = ["scan", "unused", "format", "baseline", "write_baseline"])]
    fix: bool,
    /// With --fix: show what would be mended and write nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// How findings are printed: lines, JSON, SARIF for code scanning, annotations of GitHub's actions
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Findings that are known, as --write-baseline has written them
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to a file, for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// From which severity on findings make the exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "note")]
    fail_on: FailOn,
    #[command(flatten)]
    open: OpenArgs,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
    Github,
}

/// What makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Note,
    Warning,
    Error,
    Never,
}

impl FailOn {
    fn counts(self, severity: Severity) -> bool {
        match self {
            Self::Note => true,
            Self::Warning => severity >= Severity::Warning,
            Self::Error => severity >= Severity::Error,
            Self::Never => false,
        }
    }
}

/// A finding, with its object for scripts.
struct Reported {
    finding: ScanFinding,
    json: serde_json::Value,
}

impl Doctor {
    /// Prints one line a finding and the totals.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.fix {
            let folder = self.folders.iter().find(|place| file::is_package(place));
            if let Some(file) = folder {
                let (file, next) = (file.display(), "upk doctor FOLDER --fix");
                return Err(Failure::usage(format!(
                    "'{file}' is one package, and what it refers to lies around it\n  next: {next}"
                )));
            }
            let first = self.folders.first().map_or(Path::new("."), PathBuf::as_path);
            let environment = environment(&self.folders, &self.open, first)?;
            return fix::fix(&environment, &self.open, self.dry_run, out);
        }
        let (mut found, mut totals) = match &self.scan {
            Some(folder) => self.of_tables(folder)?,
            None => self.of_folders()?,
        };
        let mut known = 0;
        if let Some(path) = &self.baseline {
            let baseline = Baseline::read(path)?;
            let (all, fingerprints) = (found.len(), baseline.fingerprints());
            found
                .retain(|reported| !fingerprints.contains(fingerprint(&reported.finding).as_str()));
            known = all - found.len();
        }
        let findings: Vec<_> = found.iter().map(|reported| &reported.finding).collect();
        if let Some(path) = &self.write_baseline {
            Baseline::of(&findings).write(path)?;
        }
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        findings.iter().for_each(|finding| *kinds.entry(&finding.rule).or_default() += 1);
        match self.format {
            Format::Sarif => out.raw(sarif::document(&findings)?.as_bytes())?,
            Format::Github => {
                for finding in &findings {
                    out.raw(report::annotation(finding).as_bytes())?;
                }
            }
            Format::Json | Format::Text if self.format == Format::Json || out.is_json() => {
                for reported in &found {
                    out.object(&reported.json)?;
                }
                totals["findings"] = findings.len().into();
                totals["kinds"] = json!(kinds);
                if self.baseline.is_some() {
                    totals["known"] = known.into();
                }
                out.object(&totals)?;
            }
            _ => {
                for finding in &findings {
                    out.line(report::line(finding, self.scan.is_some()))?;
                }
                let packages = totals["packages"].as_u64().unwrap_or(0);
                let found = count(findings.len() as u64, "finding", "findings");
                let known = match known {
                    0 => String::new(),
                    known => format!(", {known} more are known"),
                };
                out.summary(format!("{}: {found}{known}", count(packages, "package", "packages")))?;
                let elsewhere = report::elsewhere(&totals).into_iter().flatten();
                for line in elsewhere {
                    out.line(line)?;
                }
            }
        }
        if self.write_baseline.is_some() {
            return Ok(Outcome::Fine);
        }
        let counts = findings.iter().any(|finding| self.fail_on.counts(finding.severity));
        Ok(if counts { Outcome::Wrong } else { Outcome::Fine })
    }

    fn of_folders(&self) -> Result<(Vec<Reported>, serde_json::Value), Failure> {
        let (files, folders): (Vec<_>, Vec<_>) =
            self.folders.iter().cloned().partition(|place| file::is_package(place));
        let mut found = Vec::new();
        for path in &files {
            found.extend(file::look(path, &self.open)?);
        }
        let Some(first) = folders.first() else {
            let packages = files.len();
            return Ok((found, json!({ "packages": packages, "opened": packages })));
        };
        let environment = environment(&folders, &self.open, first)?;
        let bar = progress::bar(2 * environment.len(), "steps");
        let mut findings = environment.doctor(&mut |step| bar.set_position(step.done as u64));
        if self.unused {
            folders.iter().for_each(|folder| findings.extend(environment.unused(folder)));
            let mut seen = HashSet::new();
            findings.retain(|it| it.word() != "unused" || seen.insert(it.to_string()));
        }
        bar.finish_and_clear();
        let path = |finding: &Finding| match finding {
            Finding::Unreadable { path, .. } | Finding::Cache { path, .. } => {
                Some(path.display().to_string())
            }
            Finding::SameName { paths, .. } | Finding::SameGuid { paths, .. } => {
                paths.first().map(|path| path.display().to_string())
            }
            finding => {
                let package = environment.find(finding.package()?)?;
                Some(environment.file(package).path.display().to_string())
            }
        };
        for finding in &findings {
            let json = serde_json::to_value(finding)?;
            let finding = ScanFinding {
                rule: finding.word().to_owned(),
                severity: finding.severity(),
                path: path(finding),
                relative_path: path(finding).map(|path| file::path_within(&path, &folders)),
                object: finding.object().map(str::to_owned),
                message: finding.to_string(),
            };
            found.push(Reported { finding, json });
        }
        let relative = |path: &Path| file::path_within(&path.display().to_string(), &folders);
        let rules = Config::near(first)?.compiled_rules()?;
        found.extend(own_rules::look(&rules, &environment, relative)?);
        let packages = environment.len() + files.len();
        let opened = environment.opened() + files.len() as u64;
        let elsewhere = environment.roots_elsewhere();
        let totals = json!({ "packages": packages, "opened": opened, "elsewhere": elsewhere });
        Ok((found, totals))
    }

    fn of_tables(
        &self,
        folder: &std::path::Path,
    ) -> Result<(Vec<Reported>, serde_json::Value), Failure> {
        if !folder.join("packages").is_dir() {
            let shown = folder.display();
            return Err(Failure::usage(format!(
                "'{shown}' has no tables\n  next: `upk scan DIR -o {shown}` writes them"
            )));
        }
        let checkup = check_tables(folder).map_err(|error| Failure::Usage(error.into()))?;
        let reported = |finding: ScanFinding| {
            let ScanFinding { rule, severity, path, object, message, .. } = &finding;
            let json = json!({ "finding": rule, "severity": severity, "path": path,
                               "object": object, "message": message });
            Reported { finding, json }
        };
        let totals = json!({ "packages": checkup.packages });
        Ok((checkup.findings.into_iter().map(reported).collect(), totals))
    }
}
