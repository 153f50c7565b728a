//! What is wrong with one package.

use std::path::{Path, PathBuf};

use serde_json::json;
use unreal_packages::environment::{Environment, Severity};
use unreal_packages::inspect::{Damage, Rebuilt};
use unreal_packages::scan::ScanFinding;

use super::Reported;
use crate::args::OpenArgs;
use crate::failure::Failure;

/// Whether a place is one package, and neither a folder, nor a game's ini file, nor a container.
pub fn is_package(path: &Path) -> bool {
    let is_ini = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini"));
    path.is_file() && !is_ini && !unreal_packages::container::GameContainer::is_named_so(path)
}

/// Opens a package and looks at its bytes, its positions and its bodies; with an environment at its imports, too.
///
/// # Errors
/// What is wrong with the configuration or the environment; a package that can't be opened is a finding.
pub fn look(path: &Path, open: &OpenArgs) -> Result<Vec<Reported>, Failure> {
    let shown = path.display().to_string();
    let mut found = Vec::new();
    let mut note = |rule: &str, severity: Severity, object: Option<String>, message: String| {
        let json = json!({ "finding": rule, "severity": severity, "path": shown, "object": object,
                           "message": message });
        let (rule, path) = (rule.to_owned(), Some(shown.clone()));
        let relative_path = path_below(&shown);
        let finding = ScanFinding { rule, severity, path, relative_path, object, message };
        found.push(Reported { finding, json });
    };
    let environment = open.environment(path)?;
    // What is wrong with the configuration is no fault of the package.
    open.options(path)?;
    let package = match open.open(path) {
        Ok(package) => package,
        Err(failure) => {
            note("unreadable", Severity::Error, None, failure.parts().0);
            return Ok(found);
        }
    };
    for damage in Damage::of(&package).lines() {
        note("damaged", Severity::Error, None, format!("{shown}: {damage}"));
    }
    let rebuilt = Rebuilt::of(&package);
    match rebuilt.saved {
        Err(error) => note("not-rebuilt", Severity::Error, None, format!("{shown}: {error}")),
        Ok(saved) if saved.bytes != package.file() => {
            let message = format!("{shown}: it is not rebuilt byte for byte, see upk verify");
            note("not-rebuilt", Severity::Error, None, message);
        }
        Ok(_) => {}
    }
    for wrong in rebuilt.positions.wrong {
        note("wrong-position", Severity::Error, Some(wrong.place.clone()), wrong.to_string());
    }
    for file in rebuilt.positions.missing {
        let message = format!(
            "{shown}: the .{} file is not there, with {} bytes of bulk data",
            file.extension, file.bytes
        );
        note("file-missing", Severity::Error, None, message);
    }
    for (row, error) in rebuilt.errors {
        let object = package.exports().path(row);
        let message = format!("{object}: {error}");
        note("not-decoded", Severity::Note, Some(object), message);
    }
    if let Some(environment) = environment {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        found.extend(imports(&environment, &package, &name, &shown)?);
    }
    Ok(found)
}

/// What is wrong with what a package imports and refers to.
fn imports(
    environment: &Environment,
    package: &unreal_packages::Package,
    name: &str,
    shown: &str,
) -> Result<Vec<Reported>, Failure> {
    let findings = environment.findings_of(package, name);
    let reported = |finding: &unreal_packages::environment::Finding| {
        let json = serde_json::to_value(finding)?;
        let finding = ScanFinding {
            rule: finding.word().to_owned(),
            severity: finding.severity(),
            path: Some(shown.to_owned()),
            relative_path: path_below(shown),
            object: finding.object().map(str::to_owned),
            message: finding.to_string(),
        };
        Ok(Reported { finding, json })
    };
    findings.iter().map(reported).collect()
}

/// The name of a file: what its findings are known by wherever it lies.
fn path_below(shown: &str) -> Option<String> {
    let name = Path::new(shown).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// A path below the folder that it lies in: what findings are known by wherever that is.
pub fn path_within(shown: &str, folders: &[PathBuf]) -> String {
    let path = Path::new(shown);
    let below = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    let parts = below.unwrap_or(path).iter().map(|part| part.to_string_lossy());
    match below {
        Some(_) => parts.collect::<Vec<_>>().join("/"),
        None => shown.to_owned(),
    }
}
