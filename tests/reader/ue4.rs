//! `tests/reader_ue4.py`, and what the library says in its words.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use unreal_packages::inspect::folder_name;

use serde_json::{Value as Json, json};
use unreal_packages::package::{Companion, CompanionKind};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Package};

/// The independent reader, running.
pub struct Reader {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Reader {
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reader_ue4.py");
        let mut command = Command::new("python3");
        let command = command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let input = child.stdin.take();
        Self { child, input, output }
    }

    fn read(&mut self, package: &Package) -> Json {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(package.source()).unwrap();
        let versions = package.versions();
        let told = json!({ "file": file.path(), "ue4": versions.ue4(), "ue5": versions.ue5(),
                           "cooked_names": versions.is_release(EngineRelease::new(5, 8)) });
        writeln!(self.input.as_mut().unwrap(), "{told}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// In what the reader sees something else than the library says; places that were not right in the old
    /// package need not be right in the new one.
    pub fn compare(&mut self, old: &Package, new: &Package) -> Vec<String> {
        let (before, seen) = (self.read(old), self.read(new));
        let mut faults = Vec::new();
        if let Some(error) = seen["error"].as_str() {
            return vec![format!("the reader says {error}")];
        }
        let mut check = |what: &str, ours: Json| {
            if seen[what] != ours {
                let shown = |value: &Json| value.to_string().chars().take(200).collect::<String>();
                faults.push(format!("{what}: {} and {}", shown(&ours), shown(&seen[what])));
            }
        };
        let context = new.context();
        check("names", new.names().iter().map(|name| json!(name)).collect());
        let imports = new.imports();
        let import = imports.iter().map(|row| json!({ "path": row.path(), "class": row.class() }));
        check("imports", import.collect());
        let exports = new.exports();
        let export = exports.iter().map(|row| {
            let common = row.entry();
            json!({ "path": row.path(), "size": row.size(), "offset": row.offset(),
                    "class": new.path(common.class_index) })
        });
        check("exports", export.collect());
        let soft =
            new.tables().further.soft_object_paths.iter().map(|path| json!(path.text(&context)));
        check("soft_paths", soft.collect());
        check("package_name", json!(folder_name(new)));
        check("wrong_hashes", json!(0));
        // Whatever the header does, payloads in other files stay where they are. Where there is no such file the
        // reader has taken other numbers for places: it goes by their shape.
        let is_bulk = |companion: &Companion| companion.kind != CompanionKind::Exports;
        let has_payloads = old.read_from().is_empty() || old.companions().iter().any(is_bulk);
        let stood = before["payloads"].as_array().filter(|_| has_payloads).into_iter().flatten();
        let stands =
            |known: &Json| seen["payloads"].as_array().is_some_and(|it| it.contains(known));
        let lost: Vec<&Json> = stood.filter(|known| !stands(known)).collect();
        if !lost.is_empty() {
            faults.push(format!("payloads are looked for elsewhere: {lost:?}"));
        }
        let mut check = |what: &str, ours: Json| {
            if seen[what] != ours {
                let shown = |value: &Json| value.to_string().chars().take(200).collect::<String>();
                faults.push(format!("{what}: {} and {}", shown(&ours), shown(&seen[what])));
            }
        };
        // New names have hashes, old ones may lack them.
        let lacking = |seen: &Json| seen["without_hashes"].as_u64().unwrap_or(0);
        let most = lacking(&seen).min(lacking(&before));
        check("without_hashes", json!(most));
        let thumbnails = new.tables().thumbnails.iter().map(|row| {
            let image = new.tables().image(row);
            let (width, height, size) = image
                .map_or((0, 0, 0), |image| (image.width, image.height.abs(), image.image.len()));
            json!([row.object_path.text(new.source()).unwrap(), width, height, size])
        });
        check("thumbnails", thumbnails.collect());
        let known = before["faults"].as_array().map_or(0, Vec::len);
        if known == 0 && seen["faults"] != json!([]) {
            faults.push(format!("places: {}", seen["faults"]));
        }
        faults
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // Without input it ends by itself.
        self.input = None;
        let _ = self.child.wait();
    }
}
