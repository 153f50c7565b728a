//! Findings that are known.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use serde::{Deserialize, Serialize};
use unreal_packages::file::Replacement;
use unreal_packages::scan::{ScanFinding, content_hash};

use crate::args::read_text;
use crate::failure::Failure;

/// The file: what is known, for programs by its fingerprint, for people with what it is about.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Baseline {
    findings: BTreeSet<Entry>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Entry {
    rule: String,
    path: Option<String>,
    object: Option<String>,
    fingerprint: String,
}

/// A text that names files, with their paths below a folder.
fn without_root(text: &str, root: &str) -> String {
    text.replace(root, "")
}

/// What a finding is known by: not by its message, whose numbers change.
pub fn fingerprint(finding: &ScanFinding) -> String {
    const DIGITS: usize = 32;
    let ScanFinding { rule, path, relative_path, object, message, .. } = finding;
    let [shown, path] = [path, relative_path].map(|it| it.as_deref().unwrap_or_default());
    // A message names files by where they lie, which is another place on each machine.
    let root = shown.strip_suffix(path).filter(|root| !root.is_empty());
    let message = root.map_or_else(|| message.clone(), |root| without_root(message, root));
    let object = object.as_deref().unwrap_or(&message);
    // Who needs a package that is missing may change, and it is the same package.
    let path = match rule.ends_with("package-missing") {
        true => "",
        false => path,
    };
    content_hash(format!("{rule}\n{path}\n{object}").as_bytes())[..DIGITS].to_owned()
}

impl Baseline {
    /// All of these.
    pub fn of(findings: &[&ScanFinding]) -> Self {
        let entry = |finding: &&ScanFinding| Entry {
            rule: finding.rule.clone(),
            path: finding.relative_path.clone(),
            object: finding.object.clone(),
            fingerprint: fingerprint(finding),
        };
        Self { findings: findings.iter().map(entry).collect() }
    }

    /// The ones in a file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        serde_json::from_str(&text).map_err(|error| {
            let next = "--write-baseline FILE writes one";
            Failure::usage(format!("{}: {error}\n  next: {next}", path.display()))
        })
    }

    /// What its findings are known by.
    pub fn fingerprints(&self) -> HashSet<&str> {
        self.findings.iter().map(|entry| entry.fingerprint.as_str()).collect()
    }

    /// Writes them to a file.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        let written = Replacement::new(path, text.as_bytes()).overwrite(true).commit();
        written.map(drop).map_err(|error| Failure::Failed(error.into()))
    }
}
