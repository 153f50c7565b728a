//! What a release gives people: artefacts, their sums, the installer, the manifests of package managers.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use sha2::{Digest, Sha256};

use crate::common::Folder;

const TARGET: &str = "x86_64-unknown-linux-gnu";

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/release").join(name)
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap()
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A folder with the artefact of this program, whatever machine it is for, and the list of sums.
fn release() -> Folder {
    let folder = Folder::new();
    // The program itself would be packed for seconds: a shell script stands for it.
    let program = folder.write("upk", "#!/bin/sh\necho upk 0.1.0\n");
    run(Command::new("chmod").arg("755").arg(&program));
    let output =
        run(Command::new(script("package")).arg(&program).arg(TARGET).arg(folder.path("to")));
    assert!(output.status.success(), "{output:?}");
    let file = format!("upk-{TARGET}.tar.gz");
    let line = String::from_utf8(folder.read(&format!("to/{file}.sha256"))).unwrap();
    assert_eq!(line, format!("{}  {file}\n", sum(&folder.read(&format!("to/{file}")))));
    folder.write("to/SHA256SUMS", format!("{}  other\n{line}", "0".repeat(64)));
    folder
}

fn install(folder: &Folder, from: &str) -> Output {
    let mut command = Command::new("sh");
    command.arg(script("install.sh")).env("HOME", folder.path("home")).env_remove("UPK_BIN");
    run(command.env("UPK_FROM", from).env("UPK_TARGET", TARGET))
}

#[test]
fn the_installer_takes_what_the_list_says() {
    let folder = release();
    let output = install(&folder, &format!("file://{}", folder.arg("to")));
    assert!(output.status.success(), "{output:?}");
    let installed = folder.path("home/.local/bin/upk");
    assert!(run(&mut Command::new(&installed)).stdout.starts_with(b"upk "));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(&format!("installed {}", installed.display())), "{said}");
    // Another time: the new one takes the place of the old one, and nothing else is left there.
    assert!(install(&folder, &folder.arg("to")).status.success());
    let names: Vec<_> = std::fs::read_dir(folder.path("home/.local/bin")).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn the_installer_refuses_what_the_list_does_not_say() {
    let file = format!("to/upk-{TARGET}.tar.gz");
    type Change<'a> = &'a dyn Fn(&Folder);
    let cases: [(&str, Change<'_>); 4] = [
        ("nothing is installed", &|folder| {
            let mut bytes = folder.read(&file);
            let at = bytes.len() / 2;
            bytes[at] ^= 1;
            folder.write(&file, bytes);
        }),
        ("does not list", &|folder| {
            folder.write("to/SHA256SUMS", format!("{}  other\n", "0".repeat(64)));
        }),
        ("no file SHA256SUMS", &|folder| {
            std::fs::remove_file(folder.path("to/SHA256SUMS")).unwrap();
        }),
        ("no file upk-", &|folder| std::fs::remove_file(folder.path(&file)).unwrap()),
    ];
    for (reason, change) in cases {
        let folder = release();
        change(&folder);
        let output = install(&folder, &folder.arg("to"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(reason), "{reason}: {said}");
        assert!(!folder.path("home").exists(), "{reason}");
    }
    let folder = release();
    let output = install(&folder, "http://localhost/releases");
    assert!(
        !output.status.success() && String::from_utf8(output.stderr).unwrap().contains("encrypted")
    );
}

#[test]
fn manifests_have_the_sums_of_the_list() {
    let folder = Folder::new();
    let targets = [
        "aarch64-apple-darwin.tar.gz",
        "aarch64-unknown-linux-gnu.tar.gz",
        "x86_64-apple-darwin.tar.gz",
        "x86_64-pc-windows-msvc.zip",
        "x86_64-unknown-linux-gnu.tar.gz",
    ];
    let lines = targets.map(|target| format!("{}  upk-{target}\n", sum(target.as_bytes())));
    folder.write("SHA256SUMS", lines.concat());
    let fill = |folder: &Folder| {
        run(Command::new(script("manifests"))
            .arg("1.2.3")
            .arg(folder.path("SHA256SUMS"))
            .arg(folder.path("to")))
    };
    let output = fill(&folder);
    assert!(output.status.success(), "{output:?}");
    let text = |name: &str| String::from_utf8(folder.read(&format!("to/{name}"))).unwrap();
    let (formula, manifest) = (text("upk.rb"), text("upk.json"));
    let json: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(json["version"], "1.2.3");
    for target in targets {
        let place = if target.ends_with("zip") { &manifest } else { &formula };
        let address = format!("/releases/download/v1.2.3/upk-{target}\"");
        // The sum stands in the line behind the address.
        let after = place.split(&address).nth(1).unwrap_or_else(|| panic!("no {address}"));
        let line = after.lines().nth(1).unwrap();
        assert!(line.contains(&sum(target.as_bytes())), "{target}: {line}");
    }
    assert!(!formula.contains('@') && !manifest.contains('@'));
    // One is not there: no manifest has a gap.
    let folder = Folder::new();
    folder.write("SHA256SUMS", lines[1..].concat());
    let output = fill(&folder);
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains(targets[0]));
    assert!(!folder.path("to/upk.rb").exists());
}

#[test]
fn every_place_calls_artefacts_alike() {
    let read = |path: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let workflow = read(".github/workflows/release.yml");
    let built: Vec<&str> = workflow
        .split("target: ")
        .skip(1)
        .map(|rest| rest.split([' ', ',']).next().unwrap())
        .filter(|target| target.contains('-'))
        .collect();
    assert_eq!(built.len(), 5, "{built:?}");
    let manifests = read(".ci/release/upk.rb.in") + &read(".ci/release/upk.json.in");
    let installers = read(".ci/release/install.sh") + &read(".ci/release/install.ps1");
    let page = read("docs/releasing.md");
    for target in built {
        assert!(manifests.contains(&format!("upk-{target}.")), "{target}");
        assert!(installers.contains(target), "{target}");
        assert!(page.contains(&format!("`{target}`")), "{target}");
    }
    let manifest: toml_edit::DocumentMut = read("cli/Cargo.toml").parse().unwrap();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let address = |format: &str, end: &str| {
        let text = binstall["pkg-url"].as_str().unwrap();
        assert_eq!(format, end.trim_start_matches('.').replace("tar.gz", "tgz"));
        let filled = [
            ("{ repo }", "https://github.com/farchive/farchive"),
            ("{ version }", "@VERSION@"),
            ("{ archive-suffix }", end),
        ];
        filled.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    let windows = "x86_64-pc-windows-msvc";
    let format = binstall["overrides"][windows]["pkg-fmt"].as_str().unwrap();
    assert!(manifests.contains(&address(format, ".zip").replace("{ target }", windows)));
    let format = binstall["pkg-fmt"].as_str().unwrap();
    assert!(manifests.contains(&address(format, ".tar.gz").replace("{ target }", TARGET)));
}
