//! Running the command in a hostile folder, and what must hold afterwards.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::calls::{Call, Writes, call};
use crate::items::fill;
use crate::random::Random;
use crate::snapshot::{Entry, snapshot};

/// Command lines for each folder.
const CALLS: usize = 12;
/// Address space of a run, KiB: what is read of 40 GB sparse files or `/dev/zero` does not fit.
const MEMORY: u32 = 2 << 20;
/// A watchdog for runs that never end; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn hostile_folders_do_no_harm() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    if let Some(only) = number("UPK_TREE") {
        return tree(only, true);
    }
    let count: u64 = number("UPK_TREES").unwrap_or(12);
    (0..count).for_each(|number| tree(number, false));
    println!("{count} folders, {} command lines", count as usize * CALLS);
}

fn tree(number: u64, says: bool) {
    let mut random = Random::new(number + 1);
    let place = tempfile::tempdir().unwrap();
    let [folder, outside, outputs] =
        ["tree", "outside", "outputs"].map(|name| place.path().join(name));
    for path in [&folder, &outside, &outputs] {
        std::fs::create_dir(path).unwrap();
    }
    std::fs::write(outside.join("victim.u"), b"must stay").unwrap();
    fill(&folder, &outside, &mut random);
    let untouched = snapshot(&outside);
    for turn in 0..CALLS {
        let before = snapshot(&folder);
        // A pipe that the command line names itself is waited for, as it should be.
        let is_file = |(path, entry): (&PathBuf, &Entry)| {
            (!matches!(entry, Entry::Folder | Entry::Other)).then(|| path.clone())
        };
        let files: Vec<_> = before.iter().filter_map(is_file).collect();
        let call = call(&files, &outputs.join(turn.to_string()), &mut random);
        std::fs::create_dir(outputs.join(turn.to_string())).unwrap();
        let what = format!("folder {number}, call {turn}: {:?}", call.arguments);
        if says {
            println!("{what}");
        }
        let output = run(&folder, &call, &what);
        if says {
            println!("{}{}", text(&output.stdout), text(&output.stderr));
        }
        check_output(&output, &what);
        assert!(snapshot(&outside) == untouched, "{what}: something outside has changed");
        check_folder(&before, &snapshot(&folder), &call.writes, &what);
    }
}

/// The command in the folder, with its memory bounded.
fn run(folder: &Path, call: &Call, what: &str) -> Output {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_upk")])
        .args(&call.arguments)
        .current_dir(folder)
        .env("MALLOC_ARENA_MAX", "1")
        .env("RAYON_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let read = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).map(|_| bytes).unwrap()
        })
    };
    let stdout = read(Box::new(child.stdout.take().unwrap()));
    let stderr = read(Box::new(child.stderr.take().unwrap()));
    let mut waited = Duration::ZERO;
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if waited > PATIENCE => {
                child.kill().unwrap();
                panic!("{what}: does not end");
            }
            None => {
                let step = Duration::from_millis(2);
                std::thread::sleep(step);
                waited += step;
            }
        }
    };
    Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// It ended by itself, in words that a terminal only prints.
fn check_output(output: &Output, what: &str) {
    let errors = text(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{what}: ends with {code:?}: {errors}");
    assert!(!errors.contains("panicked"), "{what}: {errors}");
    assert!(code == Some(0) || !errors.is_empty() || !output.stdout.is_empty(), "{what}: no word");
    let is_harmless = |letter: char| {
        matches!(letter, '\n' | '\t') || !(letter.is_control() || is_direction(letter))
    };
    assert!(errors.chars().all(is_harmless), "{what}: {errors:?}");
}

/// Letters that turn the direction of a line.
fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Nothing has changed that the command line has not named.
fn check_folder(
    before: &BTreeMap<PathBuf, Entry>,
    after: &BTreeMap<PathBuf, Entry>,
    writes: &Writes,
    what: &str,
) {
    let stem = |path: &Path| path.with_extension("").as_os_str().to_owned();
    let may_change = |path: &Path| match writes {
        Writes::Nothing => false,
        Writes::Named(named) => {
            let whole = named.as_os_str().as_encoded_bytes();
            stem(path) == stem(named) || path.as_os_str().as_encoded_bytes().starts_with(whole)
        }
    };
    for (path, entry) in before {
        let now = after.get(path);
        let same = now == Some(entry) || may_change(path);
        assert!(same, "{what}: {} has changed: {entry:?} to {now:?}", path.display());
    }
    // The lock of a folder that was written to stays there.
    let is_lock = |path: &Path| path.file_name().is_some_and(|name| name == ".upk-lock");
    for path in after.keys().filter(|path| !before.contains_key(*path)) {
        assert!(may_change(path) || is_lock(path), "{what}: {} is new", path.display());
    }
}
