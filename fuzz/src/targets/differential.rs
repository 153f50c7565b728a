//! The tables of a package as this library and as the independent readers in Python see them.
//!
//! The readers accept more and less than the library does; where both read a package, names, imports and exports
//! must be the same.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Package, PackageIndex};

use super::options;

/// A reader that waits for the next file.
struct Reader {
    // Ends when its input does.
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    file: tempfile::NamedTempFile,
}

impl Reader {
    fn start(script: &str) -> Self {
        let script = format!("{}/{script}", readers());
        let mut command = Command::new("python3");
        let command = command.arg(&script).arg("-").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python3 runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let input = child.stdin.take().expect("a pipe");
        let file = tempfile::NamedTempFile::new().expect("a file");
        Self { _child: child, input, output, file }
    }

    /// What the reader says about a package.
    fn read(&mut self, package: &Package) -> Value {
        std::fs::write(self.file.path(), package.source()).expect("the file is written");
        let versions = package.versions();
        let question = json!({ "file": self.file.path(), "ue4": versions.ue4(), "ue5": versions.ue5(),
                               "cooked_names": versions.is_release(EngineRelease::new(5, 8)) });
        writeln!(self.input, "{question}").expect("the reader lives");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the reader lives");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("the reader: {error}: {line:?}"))
    }
}

/// The folder of the readers: this file belongs to the project's tests and to the package of fuzzing.
fn readers() -> &'static str {
    match env!("CARGO_PKG_NAME") {
        "farchive" => concat!(env!("CARGO_MANIFEST_DIR"), "/tests"),
        _ => concat!(env!("CARGO_MANIFEST_DIR"), "/../tests"),
    }
}

thread_local! {
    static OLDER: RefCell<Option<Reader>> = const { RefCell::new(None) };
    static NEWER: RefCell<Option<Reader>> = const { RefCell::new(None) };
}

pub fn run(data: &[u8]) {
    let Ok(package) = options().open_bytes(data.to_vec()) else { return };
    let newer = package.versions().has_object_versions();
    let (reader, script) = match newer {
        true => (&NEWER, "reader_ue4.py"),
        false => (&OLDER, "reader.py"),
    };
    let seen = reader.with_borrow_mut(|reader| {
        reader.get_or_insert_with(|| Reader::start(script)).read(&package)
    });
    if seen["error"].is_null() {
        compare(&package, &seen, newer);
    }
}

#[track_caller]
fn same(what: &str, ours: &Value, theirs: &Value) {
    assert!(ours == theirs, "{what}: {ours} here, {theirs} there");
}

fn compare(package: &Package, seen: &Value, newer: bool) {
    let names: Vec<_> = package.names().iter().map(|name| name.into_owned()).collect();
    same("names", &json!(names), &seen["names"]);
    let theirs = seen["exports"].as_array().map_or(&[][..], Vec::as_slice);
    same("exports", &json!(package.exports().len()), &json!(theirs.len()));
    if !has_objects(package) {
        return;
    }
    let imports = package.imports();
    let import = |path: String, class: String| json!({ "path": path, "class": class });
    let imports: Vec<_> = imports.iter().map(|row| import(row.path(), row.class())).collect();
    same("imports", &json!(imports), &seen["imports"]);
    for (row, theirs) in package.exports().iter().zip(theirs) {
        let what = format!("export {}", row.row());
        let class = match newer {
            true => package.path(row.entry().class_index),
            false => row.class(),
        };
        same(&what, &json!(row.path()), &theirs["path"]);
        same(&what, &json!(class), &theirs["class"]);
        same(&what, &json!(row.size()), &theirs["size"]);
        if row.size() > 0 {
            same(&what, &json!(row.offset()), &theirs["offset"]);
        }
    }
}

/// Whether what objects are in and of is in the tables; each reader has its own words where it is not.
fn has_objects(package: &Package) -> bool {
    let is_row = |index: PackageIndex| match index.target() {
        ObjectRef::Null => true,
        ObjectRef::Import(row) => row < package.imports().len(),
        ObjectRef::Export(row) => row < package.exports().len(),
    };
    let ends = |index: PackageIndex| !package.path(index).starts_with('…');
    let imports =
        package.imports().iter().all(|row| is_row(row.entry().outer_index) && ends(row.index()));
    let export = |row: unreal_packages::package::ExportView| {
        is_row(row.entry().outer_index) && is_row(row.entry().class_index) && ends(row.index())
    };
    imports && package.exports().iter().all(export)
}
