//! What lies in hostile folders.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::generate::Builder;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Guid, Versions};

use crate::random::Random;

/// Names that systems, shells, terminals and other programs take for something else.
const NAMES: &[&[u8]] = &[
    b"Mod.u",
    b"Map.unr",
    b"A.uasset",
    b"A.uexp",
    b"A.ubulk",
    b"Game.pak",
    b"Game.utoc",
    b"Game.ucas",
    b"global.utoc",
    b"Game.usmap",
    b"Game_P_s1.ucas",
    b"System.ini",
    b"Texts.locres",
    b"Save.sav",
    b"AssetRegistry.bin",
    b"Mod.u.uz",
    b"Mod.u.bak",
    b"edits.txt",
    b"-o.u",
    b"--in-place.u",
    b" .u",
    b"a\nb.u",
    b"a\x1b[31mb.u",
    b"\xe2\x80\xaetxt.u",
    b"\xff\xfe.u",
    b"con.u",
    b"a:b.u",
    b"M\xc3\xb6d.u",
    b"Mo\xcc\x88d.u",
    b"MOD.U",
    b".upk-1-aaaaaa.tmp",
    b".upk-lock",
    b"upk.toml",
    b".upk-1-aaaaaa.journal",
];

/// The content of a file: of any kind, whole or damaged.
fn content(random: &mut Random) -> Vec<u8> {
    let bytes = match random.below(12) {
        0 => Vec::new(),
        1 => b"<html><body>404</body></html>".to_vec(),
        2 => b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n".to_vec(),
        3 => (0..random.below(600)).map(|_| random.below(256) as u8).collect(),
        4 => b"-==--==--==--==-\x08\0\0\0\x90\0\0\0\xff\xff\xff\x7f".repeat(9),
        5 => pak(random),
        6 => b"GVAS\x02\0\0\0\x0a\x02\0\0\x04\0\x1b\0\x02\0".to_vec(),
        7 => config(random),
        8 => edits(random),
        9 => newer(random),
        _ => package(random),
    };
    match random.below(4) {
        0 => damaged(bytes, random),
        _ => bytes,
    }
}

/// The same with some bytes changed, or cut.
fn damaged(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte = random.pick(&[0, 1, 0x7f, 0x80, 0xff, 0x20]);
        }
    }
    if random.below(3) == 0 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

fn package(random: &mut Random) -> Vec<u8> {
    let file = random.pick(&[35, 61, 69, 128, 684, 868]);
    let body = [0, 5, b'h', b'e', b'l', b'l', 0];
    let builder = Builder::for_versions(Versions::ue1_to_3(file, 0)).guid(Guid::new(1, 2, 3, 4));
    let builder = builder.name("None").import("Core.TextBuffer", "Core.Class");
    builder.export("Text", "Core.TextBuffer", body).build().unwrap()
}

fn newer(random: &mut Random) -> Vec<u8> {
    let (major, minor) = random.pick(&[(4, 12), (4, 27), (5, 4), (5, 7)]);
    let versions = EngineRelease::new(major, minor).versions();
    let builder = Builder::for_versions(versions).guid(Guid::new(1, 2, 3, 4)).name("None");
    builder.export("Thing", "/Script/Engine.Actor", [0; 12]).build().unwrap()
}

/// A container whose files want to lie elsewhere.
fn pak(random: &mut Random) -> Vec<u8> {
    const PATHS: &[&str] = &[
        "../../../../outside/victim.u",
        "/etc/passwd",
        ".git/config",
        "GIT~1/config",
        "upk.toml",
        "A/.upk-1-aaaaaa.journal",
        "a:b",
        "a?b",
        "A/B",
        "a/b",
        "A",
        "",
        "Con.txt",
        "Mod.u",
        "x/../../y.u",
        "\u{202e}txt.u",
        "C:\\Windows\\x.u",
    ];
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
    for _ in 0..=random.below(8) {
        let content: &[u8] = random.pick(&[&b"mappings = \"/dev/zero\"\n"[..], b"", b"x"]);
        // The writer may refuse what the reader would have to.
        let _ = writer.add(random.pick(PATHS), content);
    }
    match writer.finish() {
        Ok(_) => bytes,
        Err(_) => Vec::new(),
    }
}

/// An `upk.toml`, or something like it.
fn config(random: &mut Random) -> Vec<u8> {
    const LINES: &[&str] = &[
        "mappings = \"/dev/zero\"",
        "mappings = \"pipe\"",
        "mappings = \"../outside/victim.u\"",
        "env = [\"/\"]",
        "env = [\"..\", \".\"]",
        "keys = [\"0x00\"]",
        "engine = \"5.4\"",
        "game = \"mainline\"",
        "nothing = 1",
        "[[",
    ];
    (0..=random.below(3)).flat_map(|_| random.pick(LINES).bytes().chain(*b"\n")).collect()
}

/// Lines of edits, or something like them.
fn edits(random: &mut Random) -> Vec<u8> {
    const LINES: &[&str] = &[
        "add-name Straße",
        "set Text.Value=1",
        "set 'Text.Value*=2'",
        "rename Text Other",
        "remove Text",
        "duplicate Text Text2",
        "set Text.Value=1 -o ../outside/victim.u",
        "replace-body Text ../outside/victim.u",
        "set-code Text ../outside/victim.u",
        "import Text /dev/zero",
        "copy ../outside/victim.u Text",
        "--help",
        "set-guid new",
        "'unclosed",
        "# nothing",
    ];
    (0..=random.below(4)).flat_map(|_| random.pick(LINES).bytes().chain(*b"\n")).collect()
}

/// A journal of ours that came from elsewhere: it names files here.
fn journal(random: &mut Random) -> Vec<u8> {
    let hex = |name: &[u8]| name.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let hash = "00".repeat(32);
    let mut text = format!("upk journal {}\n", 1 + random.below(3));
    for _ in 0..=random.below(3) {
        let kind = random.pick(&["backup", "file", "other"]);
        let target = hex(random.pick(NAMES));
        let draft = hex(random.pick(&[&b".upk-1-aaaaaa.tmp"[..], b"Mod.u", b"../x"]));
        let aside = random.pick(&["-", "2e75706b2d312d61612e746d70"]);
        let number = random.pick(&["0", "1", "18446744073709551615"]);
        text += &format!("{kind} {draft} {target} {aside} {hash} {hash} {number}\n");
    }
    text += "end\n";
    text.into_bytes()
}

/// Fills `folder`; `outside` lies beside it.
pub fn fill(folder: &Path, outside: &Path, random: &mut Random) {
    fs::create_dir(folder.join("Inner")).unwrap();
    // There is always something to work on.
    fs::write(folder.join("Base.u"), package(random)).unwrap();
    fs::write(folder.join("Asset.uasset"), newer(random)).unwrap();
    for _ in 0..6 + random.below(14) {
        let place = if random.below(4) == 0 { folder.join("Inner") } else { folder.to_owned() };
        let name = random.pick(NAMES);
        let path = place.join(OsStr::from_bytes(name));
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        // Names that the file system does not take are left out.
        let _ = match random.below(12) {
            0 => symlink(outside.join("victim.u"), &path),
            1 => symlink(outside, &path),
            2 => symlink("/dev/zero", &path),
            3 => symlink(".", &path),
            4 => symlink("missing", &path),
            5 => Command::new("mkfifo").arg(&path).status().map(drop),
            6 => File::create(&path).and_then(|file| file.set_len(40 << 30)),
            7 => fs::create_dir(&path),
            _ if name.ends_with(b".journal") => fs::write(&path, journal(random)),
            _ if name == b"upk.toml" => fs::write(&path, config(random)),
            _ => fs::write(&path, content(random)),
        };
    }
}
