//! The commands that write, each with a folder that it makes its input in.

use std::path::Path;

use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::content::TextEdits;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, NewAsset};
use unreal_packages::package::{CompanionKind, FurtherSections, OpenOptions, Package};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::{EngineRelease, Guid, PackageIndex};

use super::strace::upk;

/// A command that writes.
pub struct WritingCommand {
    pub name: &'static str,
    /// Makes what it needs.
    pub prepare: fn(&Path),
    pub arguments: &'static [&'static str],
    /// Files that belong together, the head first.
    pub sets: &'static [&'static [&'static str]],
    /// Whether it can be run again and then does the same.
    pub repeats: bool,
    /// Folders of files that have names of their own at each run, and proofs of their own elsewhere.
    pub free: &'static [&'static str],
}

impl WritingCommand {
    pub fn is_free(&self, path: &str) -> bool {
        self.free.iter().any(|start| path.starts_with(start))
    }
}

/// One that writes these sets, and can be repeated.
const fn writes(
    name: &'static str,
    prepare: fn(&Path),
    arguments: &'static [&'static str],
    sets: &'static [&'static [&'static str]],
) -> WritingCommand {
    WritingCommand { name, prepare, arguments, sets, repeats: true, free: &[] }
}

/// One that says at its second run that it is done.
const fn once(
    name: &'static str,
    prepare: fn(&Path),
    arguments: &'static [&'static str],
    sets: &'static [&'static [&'static str]],
) -> WritingCommand {
    WritingCommand { repeats: false, ..writes(name, prepare, arguments, sets) }
}

const PAIR: &[&[&str]] = &[&["Door.uasset", "Door.uexp"]];
const STORE: &[&[&str]] = &[&["Mod_P.utoc", "Mod_P.ucas", "Mod_P.pak", "Mod_P_s1.ucas"]];

pub const COMMANDS: &[WritingCommand] = &[
    writes("set", plain, &["set", "Mod.u", "Lamp.Count=9", "--in-place"], &[&["Mod.u"]]),
    writes("set-long", long, &["set", "Door.uasset", "Door.Health=2", "--in-place"], PAIR),
    writes("set-pair", pair, &["set", "Door.uasset", "Door.Health=2", "--in-place"], PAIR),
    writes(
        "grow-pair",
        pair,
        &["add-name", "Door.uasset", "SomeQuiteLongName", "--in-place", "--no-backup"],
        PAIR,
    ),
    writes(
        "set-pair-elsewhere",
        two_pairs,
        &["set", "Door.uasset", "Door.Health=2", "-o", "Out.uasset", "--overwrite"],
        &[&["Out.uasset", "Out.uexp"]],
    ),
    once(
        "set-pair-new",
        pair,
        &["set", "Door.uasset", "Door.Health=2", "-o", "New.uasset"],
        &[&["New.uasset", "New.uexp"]],
    ),
    writes(
        "edit",
        three,
        &["edit", "edits.txt", "Mod.u", "Two.u", "Three.u", "--in-place"],
        &[&["Mod.u"], &["Two.u"], &["Three.u"]],
    ),
    once("restore", changed, &["restore", "Mod.u"], &[&["Mod.u"]]),
    once("restore-pair", changed_pair, &["restore", "Door.uasset"], PAIR),
    writes(
        "merge",
        sides,
        &["merge", "Base.u", "Ours.u", "Theirs.u", "-o", "Ours.u"],
        &[&["Ours.u"]],
    ),
    writes(
        "git-driver",
        pair_sides,
        &[
            "merge",
            "Base.uasset",
            "Door.uasset",
            "Theirs.uasset",
            "-o",
            "Door.uasset",
            "--path",
            "Content/Door.uasset",
        ],
        PAIR,
    ),
    writes(
        "to-json",
        written_json,
        &["to-json", "Mod.u", "-o", "Mod.json", "--overwrite"],
        &[&["Mod.json"]],
    ),
    writes(
        "from-json",
        json,
        &["from-json", "Mod.json", "-o", "Mod.u", "--overwrite"],
        &[&["Mod.u"]],
    ),
    writes(
        "from-json-pair",
        pair_json,
        &["from-json", "Door.json", "-o", "Door.uasset", "--overwrite"],
        PAIR,
    ),
    writes(
        "compress",
        version_868,
        &["compress", "Mod.u", "--with", "zlib", "--in-place"],
        &[&["Mod.u"]],
    ),
    writes("decompress", compressed, &["decompress", "Mod.u", "--in-place"], &[&["Mod.u"]]),
    once(
        "convert",
        zen,
        &["convert", "Town.uasset", "--to", "zen", "-o", "Other.uasset"],
        &[&["Other.uasset"]],
    ),
    once("to-json-new", plain, &["to-json", "Mod.u", "-o", "Mod.json"], &[&["Mod.json"]]),
    writes("pack", packed, &["pack", "Files", "-o", "Game.pak", "--overwrite"], &[&["Game.pak"]]),
    writes(
        "pack-uz2",
        packed_uz2,
        &["compress", "Mod.u", "--as", "uz2", "-o", "Mod.u.uz2", "--overwrite"],
        &[&["Mod.u.uz2"]],
    ),
    writes(
        "pack-store",
        store,
        &["pack", "Files", "-o", "Mod_P.utoc", "--engine", "5.6", "--overwrite"],
        STORE,
    ),
    once(
        "pack-store-new",
        stored_files,
        &["pack", "Files", "-o", "Mod_P.utoc", "--engine", "5.6"],
        STORE,
    ),
    writes(
        "patch-pak",
        packed,
        &["set", "Game.pak/Door.uasset", "Door.Health=2", "-o", "Mod_P.pak", "--overwrite"],
        &[&["Mod_P.pak"]],
    ),
    writes(
        "patch-store",
        zen_container,
        &["set", "Game.utoc/Town.uasset", "Town.Title=Other", "-o", "Mod_P.utoc", "--overwrite"],
        STORE,
    ),
    once(
        "unpack",
        packed,
        &["unpack", "Game.pak", "-o", "Out"],
        &[
            &["Out/Town/Content/Door.uasset", "Out/Town/Content/Door.uexp"],
            &["Out/Town/Config/Game.ini"],
        ],
    ),
    writes(
        "unpack-over",
        unpacked,
        &["unpack", "Game.pak", "-o", "Out", "--overwrite"],
        &[
            &["Out/Town/Content/Door.uasset", "Out/Town/Content/Door.uexp"],
            &["Out/Town/Config/Game.ini"],
        ],
    ),
    writes(
        "unpack-uz2",
        packed_uz2,
        &["unpack", "Mod.u.uz2", "-o", "Mod.u", "--overwrite"],
        &[&["Mod.u"]],
    ),
    once("extract", texts, &["extract", "Mod.u", "-o", "Out"], &[&["Out/Texts/Readme.txt"]]),
    writes(
        "extract-over",
        extracted,
        &["extract", "Mod.u", "-o", "Out", "--overwrite"],
        &[&["Out/Texts/Readme.txt"], &["Out/Texts/Credits.txt"]],
    ),
    once(
        "cache-add",
        cache,
        &["cache", "add", "Cache", "Mod.u"],
        &[&["Cache/cache.ini", "Cache/00000001000000020000000300000004.uxx"]],
    ),
    writes(
        "cache-extract",
        cached,
        &["cache", "extract", "Cache", "Mod", "-o", "Out.u", "--overwrite"],
        &[&["Out.u"]],
    ),
    once("headers", texts, &["headers", "Mod.u", "-o", "Mod.h"], &[&["Mod.h"]]),
    writes(
        "doctor",
        plain,
        &["doctor", ".", "--write-baseline", "known.json", "--fail-on", "never"],
        &[&["known.json"]],
    ),
    WritingCommand {
        free: &[".git/"],
        ..writes("git-setup", repository, &["git-setup"], &[&[".gitattributes"]])
    },
    WritingCommand {
        free: &["Tables/"],
        ..writes("scan", three, &["scan", "Mod.u", "Two.u", "-o", "Tables"], &[])
    },
    WritingCommand {
        free: &["Tables/"],
        ..writes("scan-again", scanned, &["scan", "Mod.u", "Two.u", "-o", "Tables"], &[])
    },
];

fn run(folder: &Path, arguments: &[&str]) {
    let output = upk(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {text}");
}

fn small(version: u32) -> Vec<u8> {
    let builder = Builder::new(version).guid(Guid::new(1, 2, 3, 4));
    let builder = builder.export("Texts", "Core.Package", []);
    let readme = *b"\0first body";
    builder.export("Texts.Readme", "Core.TextBuffer", readme).build().unwrap()
}

/// `Mod.u` with an object that has values.
fn plain(folder: &Path) {
    std::fs::write(folder.join("Small.u"), small(69)).unwrap();
    let values = ["Count:int=7", "Size:int=1"];
    run(folder, &["add", "Small.u", "Lamp", "Engine.Light", values[0], values[1], "-o", "Mod.u"]);
    std::fs::remove_file(folder.join("Small.u")).unwrap();
}

fn three(folder: &Path) {
    plain(folder);
    for name in ["Two.u", "Three.u"] {
        std::fs::copy(folder.join("Mod.u"), folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("edits.txt"), "set Lamp.Count=9\n").unwrap();
}

fn changed(folder: &Path) {
    plain(folder);
    run(folder, &["set", "Mod.u", "Lamp.Count=9", "--in-place"]);
}

fn sides(folder: &Path) {
    plain(folder);
    std::fs::rename(folder.join("Mod.u"), folder.join("Base.u")).unwrap();
    run(folder, &["set", "Base.u", "Lamp.Count=8", "-o", "Ours.u"]);
    run(folder, &["set", "Base.u", "Lamp.Size=2", "-o", "Theirs.u"]);
}

fn write_pair(file: &Path, bytes: usize) {
    let [float, string] = ["float", "string"].map(|kind| kind.parse().unwrap());
    let asset = NewAsset::object("/Game/Door", "/Script/MyGame.Door")
        .property("Health", float, "1")
        .property("Text", string, &"x".repeat(bytes));
    let package = asset.build("4.27".parse().unwrap()).unwrap();
    let whole = package.to_bytes().unwrap();
    let (header, bodies) = whole.split_at(package.summary().total_header_size as usize);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, header).unwrap();
    std::fs::write(CompanionKind::Exports.path_beside(file), bodies).unwrap();
}

fn pair(folder: &Path) {
    write_pair(&folder.join("Door.uasset"), 10);
}

/// Several writes of one file.
fn long(folder: &Path) {
    write_pair(&folder.join("Door.uasset"), 300_000);
}

fn two_pairs(folder: &Path) {
    pair(folder);
    write_pair(&folder.join("Out.uasset"), 20);
}

fn changed_pair(folder: &Path) {
    pair(folder);
    run(folder, &["set", "Door.uasset", "Door.Health=2", "--in-place"]);
}

fn pair_sides(folder: &Path) {
    write_pair(&folder.join("Base.uasset"), 10);
    run(folder, &["set", "Base.uasset", "Door.Health=3", "-o", "Door.uasset"]);
    run(folder, &["set", "Base.uasset", "Door.Text=y", "-o", "Theirs.uasset"]);
}

fn written_json(folder: &Path) {
    changed(folder);
    run(folder, &["to-json", "Mod.u", "-o", "Mod.json"]);
    run(folder, &["set", "Mod.u", "Lamp.Count=5", "--in-place", "--no-backup"]);
}

fn json(folder: &Path) {
    changed(folder);
    run(folder, &["to-json", "Mod.u", "-o", "Mod.json"]);
    run(folder, &["restore", "Mod.u", "--no-backup"]);
}

fn pair_json(folder: &Path) {
    changed_pair(folder);
    run(folder, &["to-json", "Door.uasset", "-o", "Door.json"]);
    run(folder, &["restore", "Door.uasset", "--no-backup"]);
}

fn version_868(folder: &Path) {
    std::fs::write(folder.join("Mod.u"), small(868)).unwrap();
}

fn compressed(folder: &Path) {
    version_868(folder);
    run(folder, &["compress", "Mod.u", "--with", "zlib", "--in-place", "--no-backup"]);
}

fn packed_uz2(folder: &Path) {
    plain(folder);
    run(folder, &["compress", "Mod.u", "--as", "uz2", "-o", "Mod.u.uz2"]);
    run(folder, &["set", "Mod.u", "Lamp.Count=9", "--in-place", "--no-backup"]);
}

fn texts(folder: &Path) {
    let builder = Builder::new(69).export("Texts", "Core.Package", []);
    std::fs::write(folder.join("Old.u"), builder.build().unwrap()).unwrap();
    let mut package = Package::open(folder.join("Old.u")).unwrap();
    for (name, text) in [("Texts.Readme", "Hello"), ("Texts.Credits", "We")] {
        package.edit(|edit| edit.add_text(name, text)).unwrap();
    }
    std::fs::write(folder.join("Mod.u"), package.to_bytes().unwrap()).unwrap();
    std::fs::remove_file(folder.join("Old.u")).unwrap();
}

fn extracted(folder: &Path) {
    texts(folder);
    for name in ["Readme", "Credits"] {
        let path = folder.join(format!("Out/Texts/{name}.txt"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "an older text").unwrap();
    }
}

fn cache(folder: &Path) {
    plain(folder);
    std::fs::create_dir(folder.join("Cache")).unwrap();
    let index = "[Cache]\r\n00000005000000060000000700000008=Other.u\r\n";
    std::fs::write(folder.join("Cache/cache.ini"), index).unwrap();
}

fn cached(folder: &Path) {
    cache(folder);
    run(folder, &["cache", "add", "Cache", "Mod.u"]);
    std::fs::write(folder.join("Out.u"), "an older one").unwrap();
}

/// A repository, with a file of attributes.
fn repository(folder: &Path) {
    plain(folder);
    let mut git = std::process::Command::new("git");
    let made = git.args(["init", "--quiet"]).current_dir(folder).status();
    assert!(made.is_ok_and(|status| status.success()), "needs git");
    // Folders without files are none to the next one that makes this.
    for name in ["objects", "refs/heads"] {
        std::fs::write(folder.join(".git").join(name).join(".keep"), "").unwrap();
    }
    std::fs::write(folder.join(".gitattributes"), "*.txt text\n").unwrap();
}

fn scanned(folder: &Path) {
    three(folder);
    run(folder, &["scan", "Mod.u", "Two.u", "-o", "Tables"]);
    run(folder, &["set", "Two.u", "Lamp.Count=9", "--in-place", "--no-backup"]);
}

/// `Game.pak` with a pair in it, and `Files` that have changed since.
fn packed(folder: &Path) {
    write_pair(&folder.join("Files/Town/Content/Door.uasset"), 10);
    std::fs::create_dir_all(folder.join("Files/Town/Config")).unwrap();
    std::fs::write(folder.join("Files/Town/Config/Game.ini"), "[Game]").unwrap();
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
    for path in ["Town/Content/Door.uasset", "Town/Content/Door.uexp", "Town/Config/Game.ini"] {
        writer.add(path, &std::fs::read(folder.join("Files").join(path)).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    std::fs::write(folder.join("Game.pak"), bytes).unwrap();
    std::fs::write(folder.join("Files/Town/Config/Game.ini"), "[Game] ; another one").unwrap();
}

fn unpacked(folder: &Path) {
    packed(folder);
    write_pair(&folder.join("Out/Town/Content/Door.uasset"), 50);
    std::fs::create_dir_all(folder.join("Out/Town/Config")).unwrap();
    std::fs::write(folder.join("Out/Town/Config/Game.ini"), "[Older]").unwrap();
}

/// A cooked package of UE5, and its zen form as `Zen.uasset`.
fn zen(folder: &Path) {
    const RELEASE: EngineRelease = EngineRelease::new(5, 6);
    // A row that belongs to no export, so that there is a table.
    let mut sections = FurtherSections::default();
    sections.preload_dependencies = vec![PackageIndex::new(-1)];
    let builder = Builder::for_release(RELEASE)
        .flags(PackageFlags(0x8000_0200))
        .sections(sections)
        .import("/Game/Door.Door", "/Script/Engine.StaticMesh");
    let mut package = OpenOptions::new().open_bytes(builder.build().unwrap()).unwrap();
    let kind = "string".parse().unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("Town", "/Script/Engine.DataAsset")?;
            edit.add_property("Town", "Title", &kind, "Hello")?;
            let options =
                unreal_packages::edit::RenamePackage::new().from("/Game/Old").keep_object(true);
            edit.rename_package("/Game/Town", &options).map(drop)
        })
        .unwrap();
    std::fs::write(folder.join("Town.uasset"), package.to_bytes().unwrap()).unwrap();
    run(folder, &["convert", "Town.uasset", "--to", "zen", "-o", "Zen.uasset"]);
}

fn stored_files(folder: &Path) {
    zen(folder);
    std::fs::create_dir_all(folder.join("Files/Town/Content")).unwrap();
    std::fs::rename(folder.join("Zen.uasset"), folder.join("Files/Town/Content/Town.uasset"))
        .unwrap();
    std::fs::remove_file(folder.join("Town.uasset")).unwrap();
}

/// An older container of the same name, with a partition that the new one does not need.
fn older_store(folder: &Path) {
    for part in STORE[0] {
        std::fs::write(folder.join(part), format!("an older {part}")).unwrap();
    }
}

fn store(folder: &Path) {
    stored_files(folder);
    older_store(folder);
}

fn zen_container(folder: &Path) {
    stored_files(folder);
    run(folder, &["pack", "Files", "-o", "Game.utoc", "--engine", "5.6"]);
    older_store(folder);
}
