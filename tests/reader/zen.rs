//! `tests/reader_zen.py`, and what the library says in its words.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};
use unreal_packages::Package;
use unreal_packages::container::zen::{ZenForm, ZenHeader};
use unreal_packages::package::OpenOptions;
use unreal_packages::version::UnrealVersions;

/// The independent reader, running.
pub struct ZenReader {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl ZenReader {
    pub fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reader_ue4.py");
        let mut command = Command::new("python3");
        // It leaves nothing beside itself.
        let command = command.arg("-B").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let input = child.stdin.take();
        Self { child, input, output }
    }

    /// What it sees in a file.
    pub fn read(&mut self, bytes: &[u8], ue5: u32) -> Json {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let told = json!({ "file": file.path(), "ue4": 522, "ue5": ue5, "zen": true });
        writeln!(self.input.as_mut().unwrap(), "{told}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// In what the reader sees something else than the library says of a package of a container.
    pub fn compare(&mut self, package: &Package, options: &OpenOptions) -> Vec<String> {
        let bytes = package.to_bytes().unwrap();
        // Bodies of a changed package are those that were saved.
        let package = &options.open_bytes(bytes.clone()).unwrap();
        let versions = package.versions();
        let seen = self.read(&bytes, versions.ue5());
        if let Some(error) = seen["error"].as_str() {
            return vec![format!("the reader says {error}")];
        }
        let (header, _) = ZenHeader::load(&bytes, Some(versions)).unwrap();
        let mut faults: Vec<String> = Vec::new();
        let mut check = |what: &str, ours: Json| {
            if seen[what] != ours {
                let shown = |value: &Json| value.to_string().chars().take(200).collect::<String>();
                faults.push(format!("{what}: {} and {}", shown(&ours), shown(&seen[what])));
            }
        };
        let exports = package.exports();
        let export = |it: unreal_packages::package::ExportView<'_>| {
            let body: String =
                package.body(it.row()).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "path": it.path(), "size": body.len() / 2, "flags": it.flags().0 as u32, "body": body })
        };
        check("exports", exports.iter().map(export).collect());
        check("names", header.names.texts.iter().map(|text| json!(text)).collect());
        check("package", json!(header.name(header.summary.name).unwrap()));
        check(
            "imports",
            header.imports.iter().map(|it| json!(format!("{:016x}", it.stored))).collect(),
        );
        check("faults", json!([]));
        if ZenForm::of(versions) >= ZenForm::Ue5_3 {
            let names = package.imports().iter().filter(|it| it.class().ends_with(".Package"));
            let mut names: Vec<_> =
                names.map(|it| it.path()).filter(|path| !path.starts_with("/Script/")).collect();
            let mut theirs: Vec<_> = seen["packages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it.as_str().unwrap())
                .collect();
            names.sort();
            theirs.sort_unstable();
            if names != theirs {
                faults.push(format!("packages: {names:?} and {theirs:?}"));
            }
        }
        faults
    }
}

impl Drop for ZenReader {
    fn drop(&mut self) {
        // Without input it ends by itself.
        self.input = None;
        let _ = self.child.wait();
    }
}
