//! What the tests share: packages in temporary folders, and the command run on them.

#![allow(dead_code, reason = "every test file uses another part")]

pub mod cube;
pub mod schema;
pub mod tables;

use std::ffi::OsStr;
use std::path::{MAIN_SEPARATOR_STR, PathBuf};
use std::process::{Command, Stdio};
use unreal_packages::inspect::Explanation;

use serde_json::Value;
use tempfile::TempDir;
use unreal_packages::generate::Builder;
use unreal_packages::{Guid, Package};

/// What a run has left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// The JSON objects that were printed, one a line.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"))
        };
        self.out.lines().map(parse).collect()
    }

    /// The one JSON object that was printed.
    pub fn object(&self) -> Value {
        let mut objects = self.json();
        assert_eq!(objects.len(), 1, "{self:?}");
        objects.remove(0)
    }

    /// Insists on an exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

/// The command with these arguments.
pub fn command<S: AsRef<OsStr>>(args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_upk"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the command.
pub fn upk<S: AsRef<OsStr>>(args: &[S]) -> Run {
    let output = command(args).output().unwrap();
    let run = Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert_eq!(schema::fault(args, &run.out, &run.err), None);
    run
}

/// What bash offers for the last of these words, but for options.
pub fn completed<S: AsRef<OsStr>>(words: &[S]) -> Vec<String> {
    let mut command = command(&["--"]);
    command.args(words).env("UPK_COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|word| !word.starts_with('-')).map(str::to_owned).collect()
}

/// A folder with packages.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `Mod.u` of version 69: a group with two texts in it.
    pub fn with_mod() -> Self {
        let folder = Self::new();
        folder.write("Mod.u", small_package(69));
        folder
    }

    /// The path of a file in it, between whose parts `/` stands here and the system's own sign there.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name.replace('/', MAIN_SEPARATOR_STR))
    }

    /// A path as an argument.
    pub fn arg(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn open(&self, name: &str) -> Package {
        Package::open(self.path(name)).unwrap()
    }

    /// Runs the command on a file of the folder: `upk COMMAND FILE REST…`.
    pub fn run(&self, command: &str, file: &str, rest: &[&str]) -> Run {
        let file = self.arg(file);
        let args: Vec<&str> = [command, &file].into_iter().chain(rest.iter().copied()).collect();
        upk(&args)
    }

    /// All names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A group with two texts in it, the GUID fixed; below version 50 there are no groups.
pub fn small_package(version: u32) -> Vec<u8> {
    let builder = Builder::new(version).guid(Guid::new(1, 2, 3, 4));
    let builder = builder.export("Texts", "Core.Package", []);
    let group = if version < 50 { "" } else { "Texts." };
    builder
        .export(format!("{group}Readme"), "Core.TextBuffer", *b"\0first body")
        .export(format!("{group}Credits"), "Core.TextBuffer", *b"\0the second body")
        .build()
        .unwrap()
}

/// A header that says it is compressed with a method that nobody knows: version 868, one chunk.
pub fn closed_package() -> Vec<u8> {
    let mut bytes = small_package(868);
    let package = Package::from_bytes(bytes.clone()).unwrap();
    let fields = Explanation::of(&package).unwrap();
    let field = fields.iter().find(|field| field.record.path == "summary.compression_flags");
    let at = field.unwrap().record.start as usize;
    bytes[at + 1] = 0x20;
    bytes[at + 4] = 1;
    bytes.splice(at + 8..at + 8, [0; 16]);
    bytes
}

/// Runs an edit with `-o Out.u --json`; the input must stay as it was and the output verify.
pub fn edit(folder: &Folder, command: &str, rest: &[&str]) -> Value {
    let before = folder.read("Mod.u");
    let out = folder.arg("Out.u");
    let rest: Vec<&str> =
        rest.iter().copied().chain(["--overwrite", "-o", &out, "--json"]).collect();
    let report = folder.run(command, "Mod.u", &rest).exits(0).object();
    assert_eq!(folder.read("Mod.u"), before, "the input was touched");
    folder.run("verify", "Out.u", &[]).exits(0);
    assert_eq!(report["input"], folder.arg("Mod.u"));
    assert_eq!(report["output"], out);
    assert_eq!(report["dry_run"], false);
    assert_eq!(report["resaves_identically"], true);
    assert_eq!(report["change"]["kind"], command);
    assert_eq!(report["bytes_before"], before.len());
    assert_eq!(report["bytes_after"], folder.read("Out.u").len());
    assert_eq!(report["changed"], before != folder.read("Out.u"));
    assert!(report["moved"].is_array() && report["layout"].is_string());
    report
}
