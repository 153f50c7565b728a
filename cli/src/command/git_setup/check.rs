//! What of it is missing, and what another line overrules.

use std::path::Path;
use std::process::{Command as Process, Stdio};

use serde_json::json;

use super::{EXTENSIONS, GitSetup, KEYS, Plan};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Files of one extension that are named at most.
const NAMED: usize = 3;

/// Says what is missing.
pub fn report(setup: &GitSetup, plan: &Plan, attributes: &Path, out: &mut Output) -> CommandResult {
    let file = attributes.display().to_string();
    let mut missing = plan.kept.clone();
    missing.extend(
        plan.keys.iter().map(|(key, value)| format!("{} lacks {key} = {value}", setup.scope())),
    );
    missing.extend(plan.lines.iter().map(|line| format!("{file} lacks {line}")));
    if missing.is_empty() && !setup.global {
        missing.extend(overruled()?);
    }
    for (key, _) in KEYS.iter().filter(|(key, _)| *key != "merge.upk.name") {
        let program = setup.config(&["--get", key])?;
        let program = program.as_deref().and_then(|it| it.split(' ').next());
        if let Some(program) = program.filter(|program| !is_found(program)) {
            missing.push(format!("{key} calls '{program}', which is not on PATH"));
        }
    }
    let is_fine = missing.is_empty();
    if out.is_json() {
        let mut report = setup.json(plan, &file);
        report["missing"] = json!(missing);
        out.object(&report)?;
    } else {
        for line in &missing {
            out.line(line)?;
        }
        out.line(match is_fine {
            true => "everything is set up",
            false => {
                "  next: upk git-setup writes what is missing; lines behind its own overrule them"
            }
        })?;
    }
    Ok(if is_fine { Outcome::Fine } else { Outcome::Wrong })
}

/// Tracked packages that another line gives another driver, in any file of attributes.
fn overruled() -> Result<Vec<String>, Failure> {
    let failed = |error: std::io::Error| Failure::failed(format!("git can't be run: {error}"));
    let patterns = EXTENSIONS.iter().map(|extension| format!(":(icase,glob,top)**/*.{extension}"));
    let mut listing = Process::new("git");
    listing.args(["ls-files", "-z", "--full-name", "--"]).args(patterns).stderr(Stdio::null());
    let tracked = listing_of(&mut listing, None).map_err(failed)?;
    let mut check = Process::new("git");
    let top = crate::lfs::git(&["rev-parse", "--show-toplevel"])?.unwrap_or_default();
    check.current_dir(top).args(["check-attr", "-z", "--stdin", "diff", "merge"]);
    let answers = listing_of(&mut check, Some(tracked)).map_err(failed)?;
    let answers = String::from_utf8_lossy(&answers);
    let words: Vec<&str> = answers.split('\0').collect();
    let mut found = Vec::new();
    let wrong = words.chunks_exact(3).filter(|words| words[2] != "upk");
    for words in wrong {
        found.push(format!("{}: {} is {}, not upk", words[0], words[1], words[2]));
    }
    let more = found.len().saturating_sub(NAMED);
    if more > 1 {
        found.truncate(NAMED);
        found.push(format!("and {more} more"));
    }
    Ok(found)
}

/// What a program prints, asked on its input.
fn listing_of(process: &mut Process, input: Option<Vec<u8>>) -> std::io::Result<Vec<u8>> {
    let Some(input) = input else { return Ok(process.output()?.stdout) };
    // In a file, so that neither of both waits for the other one.
    let mut file = tempfile::tempfile()?;
    std::io::Write::write_all(&mut file, &input)?;
    std::io::Seek::rewind(&mut file)?;
    Ok(process.stdin(file).output()?.stdout)
}

/// Whether a program is there, by its path or on `PATH`.
fn is_found(program: &str) -> bool {
    let program = Path::new(program.trim_matches(['"', '\'']));
    if program.components().count() > 1 {
        return program.is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| {
        folder.join(program).is_file() || folder.join(program).with_extension("exe").is_file()
    })
}
