//! The same lines for scripts: what they print with `--json` has the form that `docs/output.schema.json` says.

use std::process::Output;

use crate::collect::Example;
use crate::expected;
use crate::line;
use crate::run::{make_room, upk};
use crate::schema;
use crate::world::{Copy, World};

/// Lines that say `--json` themselves, or ask for another form of output that excludes it.
const OTHER_FORMS: &[&str] =
    &["--json", "--help", "--html", "--format", "--markdown", "--names-only"];

/// Runs the lines of an example with `--json`, in a copy of the world that is as it was made. Lines of several programs
/// are for people; they, and those after them in the block, are left.
pub fn run(example: &Example, world: &World, copy: &Copy) -> Result<usize, String> {
    let (mut checked, mut before) = (0, world.files().clone());
    for line in &example.lines {
        let parsed = line::parse(&line.text, &copy.home())?;
        let [command] = &parsed[..] else { break };
        let [program, words @ ..] = &command.words[..] else { break };
        let plain = command.input.is_none() && command.output.is_none();
        if program != "upk" || !plain {
            break;
        }
        let is_other = words.iter().any(|word| OTHER_FORMS.contains(&word.as_str()));
        let mut words = words.to_vec();
        if !is_other {
            words.push("--json".to_owned());
        }
        // Earlier lines of the block may have written it.
        if checked > 0 {
            before = copy.files();
        }
        make_room(command, &mut before, copy);
        let mut process = upk();
        process.args(&words).current_dir(copy.work()).env("HOME", copy.home());
        process.env("UPK_PAGE", Copy::built_page());
        let output = process.output().map_err(|error| format!("{}: {error}", line.text))?;
        if is_other {
            continue;
        }
        let Output { status, stdout, stderr } = output;
        let (code, expected) = (status.code(), expected::code(&line.text));
        if code != Some(expected) {
            let err = String::from_utf8_lossy(&stderr);
            return Err(format!(
                "{} --json\n    ends with {code:?}, not {expected}: {err}",
                line.text
            ));
        }
        let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        if let Some(fault) = schema::fault(&words, &out, &err) {
            return Err(format!("{} --json\n    {fault}", line.text));
        }
        checked += 1;
    }
    Ok(checked)
}
