//! Running a line: in a fresh copy of the world, program by program.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command as Process, Stdio};

use crate::collect::Example;
use crate::expected;
use crate::line::{self, Command};
use crate::outcome::{self, Files, Run};
use crate::shown;
use crate::world::{Copy, World};

/// The command that was built with these tests.
pub fn upk() -> Process {
    let mut process = Process::new(env!("CARGO_BIN_EXE_upk"));
    process.stdin(Stdio::null());
    process
}

/// Runs an example in a copy of the world that is as it was made, line by line.
pub fn run(example: &Example, world: &World, copy: &Copy) -> Result<(), String> {
    let mut before = world.files().clone();
    for (at, line) in example.lines.iter().enumerate() {
        if at > 0 {
            before = copy.files();
        }
        let text = &line.text;
        let printed =
            run_line(text, &mut before, copy).map_err(|fault| format!("{text}\n    {fault}"))?;
        if let Some(shown) = &line.shown {
            shown::check(shown, &printed).map_err(|fault| format!("{text}\n    {fault}"))?;
        }
    }
    Ok(())
}

/// Runs a line, and looks at everything that it leaves behind. The result is what a terminal would show, with paths
/// as somebody would see them who works in a folder of their home.
fn run_line(text: &str, before: &mut Files, copy: &Copy) -> Result<String, String> {
    let line = line::parse(text, &copy.home())?;
    for command in &line {
        make_room(command, before, copy);
    }
    let last_upk = line.iter().rposition(is_upk).ok_or("no upk")?;
    let (mut passed_on, mut errors) = (Vec::new(), String::new());
    for (at, command) in line.iter().enumerate() {
        if let Some(file) = &command.input {
            passed_on = std::fs::read(copy.work().join(file))
                .map_err(|error| format!("{file}: {error}"))?;
        }
        let Some(run) = start(command, std::mem::take(&mut passed_on), copy)? else { break };
        if is_upk(command) {
            let code = if at == last_upk { expected::code(text) } else { 0 };
            outcome::check_run(command, &run, code)?;
        } else if run.code != 0 {
            return Err(format!("{} ends with {}: {}", command.words[0], run.code, run.err));
        }
        if let Some(file) = &command.output {
            std::fs::write(copy.work().join(file), &run.out)
                .map_err(|error| format!("{file}: {error}"))?;
        }
        errors.push_str(&run.err);
        passed_on = match command.output {
            Some(_) => Vec::new(),
            None => run.out,
        };
    }
    outcome::check_files(&line, expected::code(text), before, copy)?;
    let printed = String::from_utf8_lossy(&passed_on).into_owned() + &errors;
    let (work, home) = (copy.work(), copy.home());
    Ok(printed.replace(&format!("{}/", work.display()), "").replace(&*home.to_string_lossy(), "~"))
}

fn is_upk(command: &Command) -> bool {
    command.words[0] == "upk"
}

/// Whoever pastes a line has not written its output before, unless it says that it may be there.
pub fn make_room(command: &Command, before: &mut Files, copy: &Copy) {
    if let Some(output) = outcome::output(command)
        && !command.words.iter().any(|word| word == "--overwrite")
    {
        let output = copy.path(output);
        // A package of two files is one output.
        let is_header = output.extension().is_some_and(|it| it == "uasset" || it == "umap");
        let bodies = is_header.then(|| output.with_extension("uexp"));
        for output in std::iter::once(output).chain(bodies) {
            if before.remove(&output).is_some() {
                std::fs::remove_file(copy.full(&output)).unwrap();
            }
        }
    }
}

/// Runs one program; `None` for one that reads what `upk` prints and is not on this machine.
fn start(command: &Command, input: Vec<u8>, copy: &Copy) -> Result<Option<Run>, String> {
    let (program, args) = command.words.split_first().ok_or("no program")?;
    let mut process = match program.as_str() {
        "upk" => upk(),
        program => Process::new(program),
    };
    process.args(args).current_dir(copy.work()).env("HOME", copy.home());
    process.env("UPK_PAGE", Copy::built_page());
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match process.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound && program != "upk" => return Ok(None),
        other => other.map_err(|error| format!("{program}: {error}"))?,
    };
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let output = std::thread::scope(|scope| {
        // A program need not read all that there is.
        scope.spawn(move || drop(stdin.write_all(&input)));
        child.wait_with_output()
    });
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Some(Run { code: output.status.code().unwrap_or(-1), out: output.stdout, err }))
}

/// What `upk verify` says of files that were written; those that say no version come from this world's own.
pub fn verify(files: &[&Path], copy: &Copy) -> Result<(), String> {
    let mut process = upk();
    process.arg("verify").args(files.iter().map(|file| copy.full(file)));
    process.args(["--engine", "5.4", "--mappings", "Game.usmap"]).current_dir(copy.work());
    let output = process.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let all = format!(" {} identical, ", files.len());
    match output.status.success() && text.contains(&all) {
        true => Ok(()),
        false => Err(format!("what it has written does not verify:\n{text}")),
    }
}
