//! One fault at every system call that writes, in every command that writes: sets of files are old or new and never
//! mixed, nothing else is touched, and the next run clears up. `UPK_FAULTS=all` tries all of them; without it a
//! sample is tried.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;

use super::commands::{COMMANDS, WritingCommand};
use super::strace::{Call, Injection, calls, injected, upk};

/// One of so many cases is tried where not all are.
const SAMPLE: usize = 29;

/// Files that no command has anything to do with: a user's, and a journal that came from elsewhere.
const FOREIGN: [(&str, &str); 2] = [
    ("notes.txt", "mine"),
    (
        ".upk-1-aaaaaa.journal",
        "upk journal 2\nproof 1 1 1\nhead 6e6f7465732e747874 2e75706b2d312d6161616161612e746d70 \
         0000000000000000000000000000000000000000000000000000000000000000 1 - - -\nend\n",
    ),
];

/// Everything below a folder, by its path.
type Tree = BTreeMap<String, Vec<u8>>;

/// A command with its folder before and after.
struct Prepared<'a> {
    command: &'a WritingCommand,
    before: Tree,
    after: Tree,
    calls: Vec<Call>,
}

pub fn sets_are_old_or_new_after_every_fault() {
    let is_full = std::env::var("UPK_FAULTS").is_ok_and(|which| which == "all");
    let only = std::env::var("UPK_FAULT_COMMANDS").ok();
    let wanted = COMMANDS.iter().filter(|command| {
        only.as_ref().is_none_or(|only| only.split(',').any(|name| name == command.name))
    });
    let queue = Mutex::new(wanted.collect::<Vec<_>>());
    let (issues, total) = (Mutex::new(Vec::new()), Mutex::new(0));
    let work = || {
        loop {
            let Some(command) = queue.lock().unwrap().pop() else { return };
            let prepared = Prepared::new(command);
            let step = if is_full { 1 } else { SAMPLE };
            let (mut cases, mut found) = (0, Vec::new());
            let all = Injection::ALL.into_iter();
            let all = all.flat_map(|kind| prepared.calls.iter().map(move |call| (kind, call)));
            // Each command begins elsewhere, so that the sample has all calls.
            for (kind, call) in all.skip(command.name.len() % step).step_by(step) {
                found.extend(prepared.check(kind, call));
                cases += 1;
            }
            println!(
                "{}: {} calls, {cases} cases, {} failures",
                command.name,
                prepared.calls.len(),
                found.len()
            );
            *total.lock().unwrap() += cases;
            issues.lock().unwrap().extend(found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let (issues, total) = (issues.into_inner().unwrap(), total.into_inner().unwrap());
    println!("{total} cases, {} failures", issues.len());
    assert!(issues.is_empty(), "{}", issues.join("\n"));
    assert!(total > 50 || only.is_some(), "{total} cases");
}

impl<'a> Prepared<'a> {
    fn new(command: &'a WritingCommand) -> Self {
        let folder = prepare(command);
        let before = tree(folder.path());
        let (calls, output) = calls(folder.path(), command.arguments);
        assert!(output.status.success(), "{}: {}", command.name, said(&output));
        let after = tree(folder.path());
        let calls: Vec<_> = calls.into_iter().collect();
        let prepared = Self { command, before, after, calls };
        let idle = command.sets.iter().find(|set| prepared.is_unchanged(set));
        assert_eq!(idle, None, "{} does not write it", command.name);
        prepared
    }

    /// What is wrong after this fault.
    fn check(&self, kind: Injection, call: &Call) -> Vec<String> {
        let (command, mut wrong) = (self.command, Vec::new());
        let mut say =
            |what: String| wrong.push(format!("{}, {kind:?} at {call:?}: {what}", command.name));
        let folder = prepare(command);
        let output = injected(folder.path(), command.arguments, call, kind);
        let now = tree(folder.path());
        self.check_now(&now, &output, kind).into_iter().for_each(&mut say);
        // What messages advise works at once.
        if kind == Injection::Kill
            && let Some(file) = command.sets.iter().find(|set| self.is_none(set, &now))
        {
            let again = prepare(command);
            injected(again.path(), command.arguments, call, kind);
            let there = tree(again.path());
            let restored = upk(again.path(), &["restore", file[0]]);
            let state = self.state(file, &tree(again.path()));
            // Another thread may have been faster this time.
            if self.is_none(file, &there) && (!restored.status.success() || state.is_none()) {
                say(format!("`restore {}` leaves {state:?}: {}", file[0], said(&restored)));
            }
        }
        // The next run of the command, and where that has nothing to do there, of another one.
        let next = upk(folder.path(), command.arguments);
        if is_panic(&next) {
            say(format!("the next run: {}", said(&next)));
        }
        for place in places(
            &tree(folder.path()).into_keys().filter(|path| is_left(path)).collect::<Vec<_>>(),
        ) {
            let file = place.join("Next.u");
            let other =
                upk(folder.path(), &["new", "empty", "-o", file.to_str().unwrap(), "--overwrite"]);
            if !other.status.success() {
                say(format!("another run: {}", said(&other)));
            }
            let _ = std::fs::remove_file(folder.path().join(file));
        }
        let then = tree(folder.path());
        for left in then.keys().filter(|path| is_left(path)) {
            say(format!("{left} is left after the next run ({})", said(&next)));
        }
        for set in command.sets {
            match self.state(set, &then) {
                None => say(format!(
                    "{set:?} is neither old nor new after the next run: {}",
                    said(&next)
                )),
                Some("old") if next.status.success() && command.repeats => {
                    say(format!("{set:?} is old after the next run"));
                }
                _ => {}
            }
        }
        for text in self.check_foreign(&then) {
            say(format!("after the next run: {text}"));
        }
        wrong
    }

    /// What is wrong right after the fault.
    fn check_now(&self, now: &Tree, output: &Output, kind: Injection) -> Vec<String> {
        let mut wrong = self.check_foreign(now);
        if is_panic(output) {
            wrong.push(format!("a panic: {}", said(output)));
        }
        for set in self.command.sets {
            match self.state(set, now) {
                Some("old") if output.status.success() && !self.is_unchanged(set) => {
                    wrong.push(format!("it says that all is done, and {set:?} is old"));
                }
                Some(_) => {}
                None if kind == Injection::Kill && self.is_none(set, now) => {}
                None if kind == Injection::Kill && self.is_growing(set, now) => {}
                None => wrong.push(format!("{set:?} is mixed or torn: {}", said(output))),
            }
        }
        // A file that comes is whole, and a backup is what was there.
        for (path, bytes) in now.iter().filter(|(path, _)| !self.before.contains_key(*path)) {
            let kept = path.rsplit_once(".bak").map(|(file, _)| self.before.get(file));
            let is_whole = match kept {
                Some(old) => old == Some(bytes),
                None => self.after.get(path) == Some(bytes),
            };
            let is_own = is_left(path) || path.ends_with(".upk-lock") || self.is_list(path, bytes);
            if !is_whole && !is_own && !self.command.is_free(path) {
                wrong.push(format!("{path} is torn or belongs nowhere: {}", said(output)));
            }
        }
        wrong
    }

    /// Whether it is a list of a run's backups: lines come as packages change, in any order, the last one perhaps
    /// without its end.
    fn is_list(&self, path: &str, bytes: &[u8]) -> bool {
        let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
            let lines = bytes.split_inclusive(|byte| *byte == b'\n');
            lines.filter(|line| line.ends_with(b"\n")).map(<[u8]>::to_vec).collect()
        };
        let all = self.after.get(path).map(|after| lines(after)).unwrap_or_default();
        path.ends_with(".upk-run") && lines(bytes).iter().all(|line| all.contains(line))
    }

    /// Files that the command has nothing to do with.
    fn check_foreign(&self, now: &Tree) -> Vec<String> {
        let same = self.before.iter().filter(|(path, bytes)| self.after.get(*path) == Some(bytes));
        let touched = same.filter(|(path, bytes)| now.get(*path) != Some(bytes));
        let touched = touched.filter(|(path, _)| {
            !self.command.is_free(path)
                && !self.command.sets.iter().flat_map(|set| set.iter()).any(|it| it == path)
        });
        touched.map(|(path, _)| format!("{path} was touched")).collect()
    }

    /// `old` or `new`.
    fn state(&self, set: &[&str], now: &Tree) -> Option<&'static str> {
        let is = |tree: &Tree| set.iter().all(|path| now.get(*path) == tree.get(*path));
        match () {
            () if is(&self.after) => Some("new"),
            () if is(&self.before) => Some("old"),
            () => None,
        }
    }

    fn is_unchanged(&self, set: &[&str]) -> bool {
        set.iter().all(|path| self.before.get(*path) == self.after.get(*path))
    }

    /// Whether the head of a set of several files is out of sight.
    fn is_none(&self, set: &[&str], now: &Tree) -> bool {
        set.len() > 1 && !now.contains_key(set[0]) && self.state(set, now).is_none()
    }

    /// Whether the set is the old one, with members beside it that only the new one has.
    fn is_growing(&self, set: &[&str], now: &Tree) -> bool {
        let members = set.iter().all(|path| match self.before.get(*path) {
            Some(old) => now.get(*path) == Some(old),
            None => now.get(*path).is_none_or(|bytes| self.after.get(*path) == Some(bytes)),
        });
        set.len() > 1 && members
    }
}

/// A folder in which the command can run, with files beside that it has nothing to do with.
fn prepare(command: &WritingCommand) -> tempfile::TempDir {
    static MADE: Mutex<Option<HashMap<&'static str, Tree>>> = Mutex::new(None);
    let memory = Path::new("/dev/shm");
    let folder = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap();
    let made = MADE.lock().unwrap().get_or_insert_default().get(command.name).cloned();
    match made {
        Some(tree) => {
            for (path, bytes) in tree {
                let path = folder.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, bytes).unwrap();
            }
        }
        None => {
            (command.prepare)(folder.path());
            for (name, text) in FOREIGN {
                std::fs::write(folder.path().join(name), text).unwrap();
            }
            let tree = tree(folder.path());
            MADE.lock().unwrap().get_or_insert_default().insert(command.name, tree);
        }
    }
    folder
}

fn tree(folder: &Path) -> Tree {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    let read = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        (path, std::fs::read(entry.path()).unwrap())
    };
    files.map(read).collect()
}

/// Whether a file is one that a run leaves which is killed.
fn is_left(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with(".upk-") && FOREIGN.iter().all(|(foreign, _)| *foreign != name)
}

/// The folders of these files.
fn places(files: &[String]) -> Vec<PathBuf> {
    let parents =
        files.iter().map(|file| Path::new(file).parent().unwrap_or(Path::new("")).to_owned());
    let mut places: Vec<_> = parents.collect();
    places.dedup();
    places
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    format!("{:?}, {}", output.status.code(), text.chars().take(300).collect::<String>())
}

fn is_panic(output: &Output) -> bool {
    String::from_utf8_lossy(&output.stderr).contains("panicked")
        || output.status.code() == Some(101)
}
