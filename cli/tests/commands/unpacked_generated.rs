//! What was packed comes out again: over generated folders with hostile names.
//!
//! `UPK_GENERATED_FOLDERS=1000` makes as many folders; without it a few.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::common;

use common::{Folder, Run};

/// A generator with a fixed seed for each folder.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const PLAIN: [&str; 12] = [
    "a.uasset", "b.uexp", "c.ini", "Maps", "Content", "Game", "d", "e.tar.gz", "f-1", "g_2.txt",
    "h h", "i",
];
const HOSTILE: [&str; 44] = [
    "A.uasset",
    "CON",
    "nul.txt",
    "Com1.x.y",
    "LPT³",
    "x.",
    "y. ",
    " lead",
    "trail ",
    "a:b",
    "a?b",
    "a*b",
    "<>|\"",
    "é",
    "e\u{301}",
    "ß",
    "ss",
    "🙂",
    "日本.uasset",
    "..x",
    "...",
    ". .",
    ".gitignore",
    "~",
    "a~2.uasset",
    "-o",
    "--json",
    "new\nline",
    "tab\there",
    "\u{7f}",
    "\u{1}",
    "\u{202e}x",
    "\u{200b}",
    "i\u{200b}",
    "K",
    "İ",
    "$(x)",
    "`x`",
    "%PATH%",
    "'q'",
    "\r",
    "a\u{85}",
    "aux.",
    "x~1",
];
const REFUSED: [&str; 9] = [
    ".git",
    ".GIT",
    "GIT~1",
    ".hg",
    ".svn",
    "upk.toml",
    "UPK.TOML",
    ".upk-1-a.journal",
    "back\\slash",
];

/// A name; of a system that forbids it the file is not made.
fn name(random: &mut Random) -> OsString {
    match random.below(24) {
        0..14 => random.one_of(&PLAIN).into(),
        14..21 => random.one_of(&HOSTILE).into(),
        21 => random.one_of(&REFUSED).into(),
        22 => format!("{}.uasset", "long".repeat(random.one_of(&[10, 30, 61, 62]))).into(),
        _ => no_text(),
    }
}

#[cfg(unix)]
fn no_text() -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(vec![b'n', 0xff, 0xfe])
}

#[cfg(not(unix))]
fn no_text() -> OsString {
    "n".into()
}

fn content(random: &mut Random) -> Vec<u8> {
    let size = random.one_of(&[0, 1, 15, 16, 17, 300, 70_000]);
    match random.below(2) {
        0 => vec![7; size],
        _ => (0..size).map(|_| random.next() as u8).collect(),
    }
}

/// Fills a folder: files, folders, sometimes a link or an empty folder.
fn fill(folder: &Path, random: &mut Random) {
    std::fs::create_dir_all(folder).unwrap();
    let mut folders = vec![folder.to_owned()];
    for _ in 0..1 + random.below(12) {
        let parent = folders[random.below(folders.len())].clone();
        let path = parent.join(name(random));
        match random.below(10) {
            0..3 if std::fs::create_dir(&path).is_ok() => folders.push(path),
            3 => link(&path),
            _ if path.symlink_metadata().is_err() => drop(std::fs::write(&path, content(random))),
            _ => {}
        }
    }
}

#[cfg(unix)]
fn link(path: &Path) {
    drop(std::os::unix::fs::symlink("/etc", path));
}

#[cfg(not(unix))]
fn link(_: &Path) {}

/// Everything in a folder: files with their content, and what is no file and no folder with files.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder).min_depth(1) {
        let entry = entry.unwrap();
        let inside = entry.path().strip_prefix(folder).unwrap().to_owned();
        let kind = entry.file_type();
        if kind.is_file() {
            found.insert(inside, Some(std::fs::read(entry.path()).unwrap()));
        } else if !kind.is_dir() || std::fs::read_dir(entry.path()).unwrap().next().is_none() {
            found.insert(inside, None);
        }
    }
    found
}

/// A path as messages have it: invisible characters may be escaped as control characters are.
fn shown(path: &Path, are_invisible_escaped: bool) -> String {
    let text = path.to_string_lossy();
    let is_invisible = |char| matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    let escaped =
        |char: char| match char.is_control() || (are_invisible_escaped && is_invisible(char)) {
            true => char.escape_debug().collect::<String>(),
            false => char.to_string(),
        };
    text.chars().map(escaped).collect()
}

/// Whether a run names a path, or the folder around it that it leaves out as a whole.
fn names(run: &Run, path: &Path) -> bool {
    let parts = path.ancestors().filter(|path| !path.as_os_str().is_empty());
    parts.flat_map(|path| [shown(path, false), shown(path, true)]).any(|it| run.err.contains(&it))
}

#[test]
fn what_was_packed_is_unpacked_or_every_difference_is_named() {
    let count = std::env::var("UPK_GENERATED_FOLDERS").map_or(30, |count| count.parse().unwrap());
    let forms: [&[&str]; 5] = [
        &[],
        &["--compress", "zlib"],
        &["--engine", "4.21"],
        &["--engine", "4.2", "--mount", "../../../Game/"],
        &["--engine", "6.0", "--compress", "zlib"],
    ];
    let (mut same, mut different, mut refused) = (0, 0, 0);
    for seed in 0..count {
        let random = &mut Random(seed);
        let folder = Folder::new();
        fill(&folder.path("X"), random);
        let before = everything(&folder.path("X"));
        let (pak, out) = (folder.arg("X.pak"), folder.arg("Out"));
        let form = forms[random.below(forms.len())];
        let packed = folder.run("pack", "X", &[&["-o", &pak][..], form].concat());
        assert_eq!(everything(&folder.path("X")), before, "{seed}");
        if !folder.path("X.pak").exists() {
            let is_named = packed.code == 1 && packed.err.contains("whatever their case");
            assert!(is_named, "{seed}: {packed:?}");
            refused += 1;
            continue;
        }
        let unpacked = folder.run("unpack", "X.pak", &["-o", &out]);
        std::fs::create_dir_all(&out).unwrap();
        let mount = if form.contains(&"--mount") { "Out/Game" } else { "Out" };
        std::fs::create_dir_all(folder.path(mount)).unwrap();
        let after = everything(&folder.path(mount));
        let differs = |path: &&PathBuf| before.get(*path) != after.get(*path);
        let missing: Vec<_> = before.keys().filter(differs).collect();
        for path in &missing {
            let is_named = names(&packed, path) || names(&unpacked, path);
            assert!(is_named, "{seed}: {path:?} {packed:?} {unpacked:?}");
        }
        for path in after.keys().filter(differs) {
            assert!(names(&unpacked, path), "{seed}: {path:?} {unpacked:?}");
        }
        let codes = (packed.code, unpacked.code);
        let is_right = match missing.is_empty() {
            true => codes == (0, 0),
            false => codes.0.max(codes.1) == 1 && codes.0.min(codes.1) >= 0,
        };
        assert!(is_right, "{seed}: {missing:?} {packed:?} {unpacked:?}");
        let files = after.values().filter(|content| content.is_some()).count();
        let noun = if files == 1 { "file" } else { "files" };
        assert!(unpacked.out.contains(&format!("wrote {files} {noun} ")), "{seed}: {unpacked:?}");
        *if missing.is_empty() { &mut same } else { &mut different } += 1;
    }
    assert!(same + different + refused == count && same > 0 && different > 0);
}
