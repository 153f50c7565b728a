//! Packages in a repository: textconv and merge driver under a real git, with Git LFS and without.

use std::path::Path;
use std::process::Command;

use crate::common::{Folder, Run, command};

/// Three packages, a base and two that come from it, in a new repository whose drivers are ours.
struct Repository(Folder);

impl Repository {
    fn new() -> Self {
        let it = Self(Folder::with_mod());
        let folder = &it.0;
        let base = folder.arg("Base.u.kept");
        let add = ["Lamp", "Engine.Light", "Count:int=7", "Size:int=1", "-o"];
        let out = folder.arg("Base.u");
        folder.run("add", "Mod.u", &[&add[..], &[&out]].concat()).exits(0);
        for (file, change) in [("Ours.u", "Lamp.Count=8"), ("Theirs.u", "Lamp.Size=2")] {
            folder.run("set", "Base.u", &[change, "-o", &folder.arg(file)]).exits(0);
        }
        for file in ["Base.u", "Ours.u", "Theirs.u"] {
            std::fs::rename(folder.path(file), folder.path(&format!("{file}.kept"))).unwrap();
        }
        std::fs::remove_file(folder.path("Mod.u")).unwrap();
        assert!(Path::new(&base).is_file());
        it.git(&["init", "-q", "-b", "main"]).exits(0);
        folder.write(".git/info/exclude", "*.kept\n*.bak\nhome\n");
        it
    }

    fn packages(&self) -> [Vec<u8>; 3] {
        ["Base.u", "Ours.u", "Theirs.u"].map(|name| self.0.read(&format!("{name}.kept")))
    }

    fn run(&self, mut command: Command, folder: &str) -> Run {
        command
            .current_dir(self.0.path(folder))
            .env("HOME", self.0.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("XDG_CONFIG_HOME");
        // The name that is set, as users have it.
        let own = Path::new(env!("CARGO_BIN_EXE_upk")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(all).unwrap());
        let done = command.output().unwrap();
        Run {
            code: done.status.code().unwrap(),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
        }
    }

    fn git(&self, arguments: &[&str]) -> Run {
        self.git_in(".", arguments)
    }

    fn git_in(&self, folder: &str, arguments: &[&str]) -> Run {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(arguments);
        self.run(git, folder)
    }

    fn setup(&self, arguments: &[&str]) -> Run {
        self.run(command(&[&["git-setup"], arguments].concat()), ".")
    }

    fn commit(&self, message: &str, files: &[(&str, &[u8])]) {
        for (name, bytes) in files {
            self.0.write(name, bytes);
        }
        self.git(&["add", "-A", "."]).exits(0);
        self.git(&["commit", "-q", "-m", message]).exits(0);
    }

    /// The pointer to these bytes, which are put where LFS has them.
    fn stored(&self, bytes: &[u8]) -> String {
        let (pointer, oid) = pointer(bytes);
        let place = format!(".git/lfs/objects/{}/{}/{oid}", &oid[..2], &oid[2..4]);
        self.0.write(&place, bytes);
        pointer
    }
}

/// A pointer and its hash, by a program that is not ours.
fn pointer(bytes: &[u8]) -> (String, String) {
    let folder = Folder::new();
    let file = folder.write("bytes", bytes);
    let done = Command::new("sha256sum").arg(file).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    let oid = text.split(' ').next().unwrap().to_owned();
    let size = bytes.len();
    (format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n"), oid)
}

#[test]
fn nothing_in_a_repository_stops_its_diffs() {
    let it = Repository::new();
    it.setup(&[]).exits(0);
    let [base, ours, _] = it.packages();
    let cut = &base[..base.len() / 2];
    let foreign = b"<!DOCTYPE html><title>404</title>";
    let gone = pointer(b"an object that nobody has").0;
    it.commit("one", &[("A.u", cut), ("B.u", b""), ("C.u", foreign), ("D.u", gone.as_bytes())]);
    let rest: [(&str, &[u8]); 4] = [("A.u", &base), ("B.u", &base), ("C.u", &base), ("D.u", &base)];
    it.commit("two", &rest);
    it.commit("three", &[("Last.u", &base)]);
    it.commit("four", &[("Last.u", &ours)]);
    let log = it.git(&["log", "-p"]).exits(0);
    assert!(log.out.contains("-  Count: int = 7\n+  Count: int = 8\n"), "{}", log.out);
    for reason in ["no package that can be shown", "its object of 25 bytes is not here"] {
        assert!(log.out.contains(reason), "{reason}: {}", log.out);
    }
    assert!(!log.out.contains("Binary files"), "{}", log.out);
    it.git(&["diff", "HEAD~3"]).exits(0);
}

#[test]
fn a_pointer_is_shown_as_the_package_it_stands_for() {
    let it = Repository::new();
    it.setup(&[]).exits(0);
    let [base, ours, _] = it.packages();
    it.commit("one", &[("Lamp.u", it.stored(&base).as_bytes())]);
    it.commit("two", &[("Lamp.u", it.stored(&ours).as_bytes())]);
    let diff = it.git(&["diff", "HEAD~1"]).exits(0);
    assert!(diff.out.contains("-  Count: int = 7\n+  Count: int = 8\n"), "{}", diff.out);
    // Objects belong to the repository, whichever working tree asks.
    it.git(&["worktree", "add", "-q", "home/other", "HEAD"]).exits(0);
    let diff = it.git_in("home/other", &["diff", "HEAD~1"]).exits(0);
    assert!(diff.out.contains("-  Count: int = 7\n+  Count: int = 8\n"), "{}", diff.out);
    // One whose bytes are others is not shown as what it is not.
    let (_, oid) = pointer(&ours);
    let place = format!(".git/lfs/objects/{}/{}/{oid}", &oid[..2], &oid[2..4]);
    it.0.write(&place, &base);
    let diff = it.git(&["diff", "HEAD~1"]).exits(0);
    assert!(diff.out.contains("the object of Git LFS is damaged"), "{}", diff.out);
}

#[test]
fn pointers_are_merged_as_their_packages() {
    let it = Repository::new();
    it.setup(&[]).exits(0);
    let [base, ours, theirs] = it.packages();
    let [old, mine, other] = [&base, &ours, &theirs].map(|bytes| it.stored(bytes));
    it.commit("base", &[("Lamp.u", old.as_bytes()), ("Plain.u", &base)]);
    it.git(&["checkout", "-q", "-b", "other"]).exits(0);
    it.commit("theirs", &[("Lamp.u", other.as_bytes()), ("Plain.u", &theirs)]);
    it.git(&["checkout", "-q", "main"]).exits(0);
    it.commit("ours", &[("Lamp.u", mine.as_bytes()), ("Plain.u", &ours)]);
    it.git(&["merge", "-q", "other", "-m", "merged"]).exits(0);
    let merged = it.0.read("Plain.u");
    let (wanted, oid) = pointer(&merged);
    assert_eq!(String::from_utf8(it.0.read("Lamp.u")).unwrap(), wanted);
    let place = format!(".git/lfs/objects/{}/{}/{oid}", &oid[..2], &oid[2..4]);
    assert_eq!(it.0.read(&place), merged);
    for (property, value) in [("Lamp.Count", "8"), ("Lamp.Size", "2")] {
        assert!(it.0.run("get", "Plain.u", &[property]).exits(0).out.contains(value));
    }
}

#[test]
fn what_cannot_be_merged_is_a_conflict_with_its_reason() {
    let it = Repository::new();
    it.setup(&[]).exits(0);
    let [base, ours, theirs] = it.packages();
    let gone = pointer(b"an object that nobody has").0;
    it.commit("base", &[("Cut.u", &base), ("Gone.u", gone.as_bytes()), ("Plain.u", &base)]);
    it.git(&["checkout", "-q", "-b", "other"]).exits(0);
    let cut = &theirs[..theirs.len() / 2];
    it.commit(
        "theirs",
        &[("Cut.u", cut), ("Gone.u", &theirs), ("New.u", &theirs), ("Plain.u", &theirs)],
    );
    it.git(&["checkout", "-q", "main"]).exits(0);
    it.commit("ours", &[("Cut.u", &ours), ("Gone.u", &ours), ("New.u", &ours), ("Plain.u", &ours)]);
    let run = it.git(&["merge", "other", "-m", "merged"]).exits(1);
    let said = format!("{}{}", run.out, run.err);
    for reason in [
        "Cut.u: not merged: ",
        "Gone.u: not merged: BASE: it is a pointer of Git LFS, and its object of 25 bytes",
        "New.u: not merged: BASE: both sides have added it",
    ] {
        assert!(said.contains(reason), "{reason}: {said}");
    }
    assert!(!said.contains(".merge_file"), "{said}");
    // Git leaves ours where it is unmerged, and the others are merged.
    for name in ["Cut.u", "Gone.u", "New.u"] {
        assert_eq!(it.0.read(name), ours, "{name}");
    }
    assert_eq!(it.git(&["diff", "--name-only", "--diff-filter=U"]).out, "Cut.u\nGone.u\nNew.u\n");
    assert!(it.0.run("get", "Plain.u", &["Lamp.Size"]).exits(0).out.contains('2'));
}

#[test]
fn a_setup_is_checked_and_taken_away_again() {
    let it = Repository::new();
    let config = it.0.read(".git/config");
    let before = "*.u filter=lfs diff=lfs merge=lfs -text\n*.txt text\n*.upk -diff\n";
    it.0.write(".gitattributes", before);
    let run = it.setup(&["--check"]).exits(1);
    assert!(run.out.contains(".gitattributes lacks *.u diff=upk merge=upk\n"), "{run:?}");
    assert!(run.out.contains(".git/config lacks merge.upk.driver = upk merge"), "{run:?}");
    assert_eq!(it.0.read(".gitattributes"), before.as_bytes());
    it.setup(&[]).exits(0);
    // LFS stores the file, and it is shown and merged by us.
    let is = it.git(&["check-attr", "filter", "diff", "merge", "text", "--", "X.u"]).out;
    assert_eq!(is, "X.u: filter: lfs\nX.u: diff: upk\nX.u: merge: upk\nX.u: text: unset\n");
    let run = it.setup(&["--check"]).exits(1);
    assert!(run.out.starts_with("*.upk has a driver in line 3 already\n"), "{run:?}");
    it.setup(&["--remove", "--dry-run"]).exits(0);
    it.setup(&["--remove"]).exits(0);
    assert_eq!(String::from_utf8(it.0.read(".gitattributes")).unwrap(), before);
    assert_eq!(it.0.read(".git/config"), config);
    assert!(it.setup(&["--remove"]).exits(0).out.starts_with("nothing of it is there"));

    // A file that holds nothing else goes, and what another line overrules is named.
    it.0.write(".gitattributes", "");
    it.setup(&[]).exits(0);
    it.setup(&["--check"]).exits(0);
    it.commit("one", &[("Maps/Town.u", b"x"), ("Maps/.gitattributes", b"*.u diff=other\n")]);
    let run = it.setup(&["--check"]).exits(1);
    assert!(run.out.starts_with("Maps/Town.u: diff is other, not upk\n"), "{run:?}");
    let report = it.setup(&["--check", "--json"]).exits(1).object();
    assert_eq!(report["missing"][0], "Maps/Town.u: diff is other, not upk");
    it.git(&["config", "merge.upk.driver", "mine %A"]).exits(0);
    let run = it.setup(&["--remove"]).exits(0);
    assert!(run.out.contains("left as it is: merge.upk.driver is 'mine %A'"), "{run:?}");
    assert!(!it.0.path(".gitattributes").exists());
    assert_eq!(it.git(&["config", "--get", "merge.upk.driver"]).out, "mine %A\n");
}

/// With the real Git LFS: it stores what is committed and hands out what is merged, while what is shown and merged is
/// ours.
#[test]
#[ignore = "needs git-lfs"]
fn git_lfs_stores_what_is_merged() {
    let it = Repository::new();
    it.git(&["lfs", "install", "--local"]).exits(0);
    it.git(&["lfs", "track", "*.u"]).exits(0);
    it.setup(&[]).exits(0);
    it.setup(&["--check"]).exits(0);
    let [base, ours, theirs] = it.packages();
    it.commit("base", &[("Lamp.u", &base)]);
    assert!(it.git(&["show", "HEAD:Lamp.u"]).out.starts_with("version https://git-lfs"));
    it.git(&["checkout", "-q", "-b", "other"]).exits(0);
    it.commit("theirs", &[("Lamp.u", &theirs)]);
    it.git(&["checkout", "-q", "main"]).exits(0);
    it.commit("ours", &[("Lamp.u", &ours)]);
    let diff = it.git(&["diff", "HEAD~1"]).exits(0);
    assert!(diff.out.contains("-  Count: int = 7\n+  Count: int = 8\n"), "{}", diff.out);
    it.git(&["merge", "-q", "other", "-m", "merged"]).exits(0);
    // The working tree has the package, the repository the pointer, and LFS finds nothing wrong.
    for (property, value) in [("Lamp.Count", "8"), ("Lamp.Size", "2")] {
        assert!(it.0.run("get", "Lamp.u", &[property]).exits(0).out.contains(value));
    }
    assert!(it.git(&["show", "HEAD:Lamp.u"]).out.starts_with("version https://git-lfs"));
    it.git(&["lfs", "fsck"]).exits(0);
    assert_eq!(it.git(&["status", "--porcelain"]).out, "");
    let listed = it.git(&["lfs", "ls-files"]).exits(0).out;
    assert!(listed.contains(" * Lamp.u"), "{listed}");
}
