//! New packages, extracting, importing.

use crate::common;

use common::{Folder, upk};
use unreal_packages::Package;
use unreal_packages::content::{Image, Pixels};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{Lod, Mesh, MeshEdits, MeshSection};
use unreal_packages::version::UnrealVersions;

fn picture(side: u32, shift: u8) -> Image {
    let color = |at: u32| [(at % side * 8) as u8, (at / side * 8) as u8, shift, 255];
    Image::from_rgba(side, side, (0..side * side).map(color).collect()).unwrap()
}

fn wave() -> Vec<u8> {
    let mut file =
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0"
            .to_vec();
    file.extend(b"data\x08\0\0\0\x01\0\x02\0\x03\0\x04\0");
    file
}

/// Pictures in folders.
fn pictures() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("in/Walls/Stone")).unwrap();
    folder.write("in/Logo.png", picture(16, 1).to_png().unwrap());
    folder.write("in/Walls/Stone/Rough one.png", picture(8, 2).to_png().unwrap());
    folder.write("in/notes.md", b"not a picture");
    folder
}

#[test]
fn folders_of_pictures_become_groups_of_every_game() {
    for profile in Profile::ALL {
        let folder = pictures();
        let (input, output) = (folder.path("in"), folder.path("My.utx"));
        let args = ["new", "textures", "--game", profile.slug, "--json", "-o"];
        let run =
            upk(&[&args.map(std::ffi::OsStr::new)[..], &[output.as_os_str(), input.as_os_str()]]
                .concat());
        let lines = run.exits(0).json();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["object"], "Logo");
        assert_eq!(lines[1]["object"], "Walls.Stone.Rough_one");
        assert_eq!(lines[1]["texture"]["mips"], 4);
        assert_eq!(lines[2]["game"], profile.slug);
        let package = Package::open(&output).unwrap();
        assert_eq!(package.versions().file(), profile.versions().file());
        assert!(package.find_export("walls.stone.rough_one").is_ok());
        let verified = upk(&["verify".as_ref(), output.as_os_str()]).exits(0);
        assert!(verified.out.contains("100.0% decoded"), "{}", verified.out);
    }
}

#[test]
fn what_is_extracted_imports_to_the_same_bytes() {
    let folder = pictures();
    folder.write("Bang.wav", wave());
    folder.write("Readme.txt", "Grüße\r\n");
    let make = |what: &str, output: &str, input: &str| {
        let (output, input) = (folder.path(output), folder.path(input));
        upk(&["new".as_ref(), what.as_ref(), "-o".as_ref(), output.as_os_str(), input.as_os_str()])
            .exits(0);
    };
    make("textures", "A.utx", "in");
    make("sounds", "A.uax", "Bang.wav");
    make("text", "A.u", "Readme.txt");
    for (package, object, file) in [
        ("A.utx", "Walls.Stone.Rough_one", "Walls/Stone/Rough_one.png"),
        ("A.uax", "Bang", "Bang.wav"),
        ("A.u", "Readme", "Readme.txt"),
    ] {
        let (out, path) = (folder.path("out"), folder.path(package));
        let extract = ["extract".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()];
        upk(&extract).exits(0);
        let again = upk(&extract).exits(1);
        assert!(again.err.contains("--overwrite"), "{}", again.err);
        let file = out.join(file);
        let before = std::fs::read(&path).unwrap();
        let run = upk(&[
            "import".as_ref(),
            path.as_os_str(),
            object.as_ref(),
            file.as_os_str(),
            "--in-place".as_ref(),
            "--json".as_ref(),
        ]);
        let object = run.exits(0).object();
        assert_eq!(
            (&object["changed"], &object["backup"]),
            (&false.into(), &serde_json::Value::Null)
        );
        assert_eq!(std::fs::read(&path).unwrap(), before, "{package}");
    }
    assert_eq!(std::fs::read(folder.path("out/Bang.wav")).unwrap(), wave());
    assert_eq!(std::fs::read(folder.path("out/Readme.txt")).unwrap(), "Grüße\r\n".as_bytes());
}

/// A sound of FLAC becomes the WAV file that games of UE1 play, and one of Vorbis comes out decoded.
#[test]
fn sounds_are_decoded() {
    let folder = Folder::new();
    folder.write("Tone.flac", include_bytes!("../../../tests/generate/sounds/tone.flac"));
    let (output, input) = (folder.path("A.uax"), folder.path("Tone.flac"));
    let new = ["new", "sounds", "-o"].map(std::ffi::OsStr::new);
    upk(&[&new[..], &[output.as_os_str(), input.as_os_str()]].concat()).exits(0);
    let out = folder.path("out");
    upk(&[
        "extract".as_ref(),
        output.as_os_str(),
        "--decode".as_ref(),
        "-o".as_ref(),
        out.as_os_str(),
    ])
    .exits(0);
    let file = std::fs::read(out.join("Tone.wav")).unwrap();
    let theirs = include_bytes!("../../../tests/generate/sounds/tone.flac.raw");
    assert!(file.starts_with(b"RIFF") && file.ends_with(theirs));
}

#[test]
fn folders_are_extracted_package_by_package() {
    let folder = pictures();
    folder.write("Bang.wav", wave());
    std::fs::create_dir_all(folder.path("game/Sounds")).unwrap();
    for (what, output, input) in
        [("textures", "game/A.utx", "in"), ("sounds", "game/Sounds/A.uax", "Bang.wav")]
    {
        let (output, input) = (folder.path(output), folder.path(input));
        upk(&["new".as_ref(), what.as_ref(), "-o".as_ref(), output.as_os_str(), input.as_os_str()])
            .exits(0);
    }
    // Two of one name, one that is damaged, and a file that is none.
    std::fs::copy(folder.path("game/A.utx"), folder.path("game/A.unr")).unwrap();
    folder.write("game/Read me.txt", b"not a package");
    let (game, out) = (folder.path("game"), folder.path("out"));
    let run = |more: &[&str]| {
        let args = ["extract".as_ref(), game.as_os_str(), "-o".as_ref(), out.as_os_str()];
        let more = more.iter().map(std::ffi::OsStr::new);
        upk(&args.into_iter().chain(more).collect::<Vec<_>>())
    };
    let done = run(&[]).exits(0);
    assert!(done.out.contains("wrote 5 files of 3 packages"), "{}", done.out);
    for file in [
        "A.utx/Logo.png",
        "A.unr/Logo.png",
        "A.utx/Walls/Stone/Rough_one.png",
        "Sounds/A.uax/Bang.wav",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let again = run(&[]).exits(1);
    assert!(again.err.contains("--overwrite"), "{}", again.err);
    let lines = run(&["--overwrite", "--json", "--kind", "sound"]).exits(0).json();
    assert_eq!(lines.len(), 1);
    let package = lines[0]["package"].as_str().unwrap().replace('\\', "/");
    assert!(package.ends_with("game/Sounds/A.uax"), "{package}");
    // What can't be read is named, and the others come.
    let whole = std::fs::read(folder.path("game/A.utx")).unwrap();
    folder.write("game/B.utx", &whole[..whole.len() / 2]);
    let damaged = run(&["--overwrite"]).exits(1);
    assert!(damaged.out.contains("B.utx"), "{}", damaged.out);
    assert!(damaged.out.contains("wrote 5 files"), "{}", damaged.out);
    // Results in the folder that is read are not read.
    std::fs::remove_file(folder.path("game/B.utx")).unwrap();
    let within = folder.path("game/Out");
    for _ in 0..2 {
        let args = [
            "extract".as_ref(),
            game.as_os_str(),
            "-o".as_ref(),
            within.as_os_str(),
            "--overwrite".as_ref(),
        ];
        let done = upk(&args).exits(0);
        assert!(done.out.contains("wrote 5 files of 3 packages"), "{}", done.out);
    }
    let same =
        upk(&["extract".as_ref(), game.as_os_str(), "-o".as_ref(), game.as_os_str()]).exits(2);
    assert!(same.err.contains("another folder"), "{}", same.err);
    // Names that lead elsewhere are named where they are packages, and end nothing.
    std::fs::create_dir_all(folder.path("game/.git")).unwrap();
    std::fs::write(folder.path("game/.git/HEAD"), b"ref: refs/heads/main").unwrap();
    run(&["--overwrite"]).exits(0);
    folder.write("game/.git/A.utx", &whole);
    let refused = run(&["--overwrite"]).exits(1);
    assert!(refused.out.contains("A.utx: git, other programs"), "{}", refused.out);
    assert!(refused.out.contains("wrote 5 files"), "{}", refused.out);
    let object = run(&["Logo"]).exits(2);
    assert!(object.err.contains("is a folder"), "{}", object.err);
    let standard =
        upk(&["extract".as_ref(), game.as_os_str(), "-o".as_ref(), "-".as_ref()]).exits(2);
    assert!(standard.err.contains("name a folder"), "{}", standard.err);
}

#[test]
fn one_pixel_is_imported_as_one_texel() {
    let folder = pictures();
    let (input, package) = (folder.path("in"), folder.path("A.utx"));
    upk(&[
        "new".as_ref(),
        "textures".as_ref(),
        "-o".as_ref(),
        package.as_os_str(),
        input.as_os_str(),
    ])
    .exits(0);
    let out = folder.path("out");
    upk(&[
        "extract".as_ref(),
        package.as_os_str(),
        "Logo".as_ref(),
        "-o".as_ref(),
        out.as_os_str(),
    ])
    .exits(0);
    assert!(!out.join("Walls").exists(), "only the object that is named");
    let file = out.join("Logo.png");
    let image = Image::read(&std::fs::read(&file).unwrap()).unwrap();
    let Pixels::Indexed { indices, palette } = image.pixels() else { panic!("{image:?}") };
    let mut indices = indices.clone();
    indices[3] = indices[200];
    let pixels = Pixels::Indexed { indices, palette: palette.clone() };
    std::fs::write(&file, Image::new(16, 16, pixels).unwrap().to_png().unwrap()).unwrap();
    let run = upk(&[
        "import".as_ref(),
        package.as_os_str(),
        "Logo".as_ref(),
        file.as_os_str(),
        "--in-place".as_ref(),
        "--json".as_ref(),
    ]);
    let json = run.exits(0).object();
    assert_eq!(json["change"]["facts"]["texels"], 1);
    assert_eq!(json["change"]["content"], "texture");
    assert!(json["backup"].is_string());
    // A picture of new colours, into a palette of its own.
    std::fs::write(&file, picture(16, 99).to_png().unwrap()).unwrap();
    let args = [
        "import".as_ref(),
        package.as_os_str(),
        "Logo".as_ref(),
        file.as_os_str(),
        "--dry-run".as_ref(),
    ];
    let run = upk(&args).exits(0);
    assert!(run.out.contains("new palette"), "{}", run.out);
}

#[test]
fn raw_bytes_come_and_go() {
    let folder = Folder::with_mod();
    let (package, out) = (folder.path("Mod.u"), folder.path("out"));
    let object = Package::open(&package).unwrap().exports().path(1);
    let run = upk(&[
        "extract".as_ref(),
        package.as_os_str(),
        object.as_ref(),
        "--raw".as_ref(),
        "--json".as_ref(),
        "-o".as_ref(),
        out.as_os_str(),
    ]);
    let file = run.exits(0).object()["file"].as_str().unwrap().to_owned();
    let run = upk(&[
        "import".as_ref(),
        package.as_os_str(),
        object.as_ref(),
        file.as_ref(),
        "--raw".as_ref(),
        "--dry-run".as_ref(),
        "--json".as_ref(),
    ]);
    assert_eq!(run.exits(0).object()["changed"], false);
}

#[test]
fn mistakes_say_what_to_do_next() {
    let folder = pictures();
    let output = folder.path("A.utx");
    let run = |words: &[&str]| {
        let words: Vec<_> = words
            .iter()
            .map(|word| match word.strip_prefix('@') {
                Some(file) => folder.path(file).into_os_string(),
                None => word.into(),
            })
            .collect();
        upk(&words)
    };
    let nothing = run(&["new", "music", "-o", "@A.umx", "@in"]).exits(2);
    assert!(nothing.err.contains("s3m"), "{}", nothing.err);
    let wrong = run(&["new", "sounds", "-o", "@A.uax", "@in/notes.md"]).exits(1);
    assert!(wrong.err.contains("notes.md") && wrong.err.contains("WAV"), "{}", wrong.err);
    let format = run(&["new", "textures", "-o", "@A.utx", "@in", "--format", "dxt1"]).exits(1);
    assert!(format.err.contains("p8"), "{}", format.err);
    assert!(!output.exists(), "nothing is written");
    run(&["new", "textures", "-o", "@A.utx", "@in", "--dry-run"]).exits(0);
    assert!(!output.exists());
    run(&["new", "textures", "-o", "@A.utx", "@in"]).exits(0);
    let again = run(&["new", "empty", "-o", "@A.utx"]).exits(2);
    assert!(again.err.contains("--overwrite"), "{}", again.err);
    run(&["new", "empty", "-o", "@A.utx", "--overwrite", "--game", "udk"]).exits(0);
    assert_eq!(Package::open(&output).unwrap().exports().len(), 0);
    folder.write("Twice/a b.png", picture(8, 1).to_png().unwrap());
    folder.write("Twice/a_b.png", picture(8, 1).to_png().unwrap());
    let twice = run(&["new", "textures", "-o", "@B.utx", "@Twice"]).exits(2);
    assert!(twice.err.contains("rename one"), "{}", twice.err);
    run(&["extract", "@in/Logo.png", "-o", "@out"]).exits(2);
}

#[test]
fn all_sizes_come_out_as_pictures_and_as_one_file() {
    let folder = pictures();
    let (input, out) = (folder.arg("in"), folder.arg("out"));
    let package = folder.arg("My.utx");
    upk(&["new", "textures", "--game", "ut2004", "-o", &package, &input]).exits(0);
    folder.run("extract", "My.utx", &["-o", &out, "--all-mips"]).exits(0);
    for (file, side) in [("Logo.png", 16), ("Logo~mip1.png", 8), ("Logo~mip4.png", 1)] {
        let shown = Image::read(&folder.read(&format!("out/{file}"))).unwrap();
        assert_eq!((shown.width(), shown.height()), (side, side), "{file}");
    }
    assert!(folder.path("out/Walls/Stone/Rough_one~mip3.png").exists());
    assert!(!folder.path("out/Logo~mip5.png").exists());
    let dds = folder.arg("dds");
    folder.run("extract", "My.utx", &["-o", &dds, "--dds"]).exits(0);
    let before = folder.read("My.utx");
    let args = ["--from", &dds, "--in-place"];
    folder.run("import", "My.utx", &args).exits(0);
    assert_eq!(folder.read("My.utx"), before);
    folder.run("extract", "My.utx", &["-o", &dds, "--dds", "--all-mips"]).exits(2);
}

#[test]
fn meshes_come_out_as_files_of_importers() {
    let folder = Folder::new();
    let lod = Lod {
        positions: vec![[0.0; 3], [64.0, 0.0, 0.0], [0.0, 64.0, 0.0]],
        sections: vec![MeshSection { material: 0, indices: vec![0, 1, 2] }],
        ..Lod::default()
    };
    let mesh = Mesh { name: "Leaf".to_owned(), lods: vec![lod], ..Mesh::default() };
    let mut package = create(&Profile::UT2004).unwrap();
    package.edit(|edit| edit.add_mesh("Rocks.Leaf", &mesh.to_glb().unwrap())).unwrap();
    folder.write("Rocks.usx", package.to_bytes().unwrap());
    let out = folder.arg("Out");
    let args = ["--kind", "mesh", "--psk", "-o", &out];
    let run = folder.run("extract", "Rocks.usx", &args).exits(0);
    assert!(run.out.contains("Rocks/Leaf.pskx"), "{run:?}");
    let read = Mesh::of_psk(&std::fs::read(folder.path("Out/Rocks/Leaf.pskx")).unwrap()).unwrap();
    assert_eq!(read.lods[0].triangle_count(), 1);
    let lines =
        folder.run("extract", "Rocks.usx", &[&args[..], &["--overwrite", "--json"]].concat());
    assert_eq!(lines.exits(0).json()[0]["kind"], "mesh");
    folder.run("extract", "Rocks.usx", &["--psk", "--raw", "-o", &out]).exits(2);
}

#[test]
fn what_of_a_mesh_is_left_out_stands_on_lines_of_its_own() {
    let folder = Folder::new();
    let lod = Lod {
        positions: vec![[0.0; 3], [64.0, 0.0, 0.0], [0.0, 64.0, 0.0]],
        sections: vec![MeshSection { material: 0, indices: vec![0, 1, 2, 0, 0, 1] }],
        ..Lod::default()
    };
    let mesh = Mesh { name: "Leaf".to_owned(), lods: vec![lod], ..Mesh::default() };
    folder.write("Leaf.glb", mesh.to_glb().unwrap());
    let [input, output] = ["Leaf.glb", "Rocks.usx"].map(|name| folder.arg(name));
    let run = upk(&["new", "meshes", "--game", "ut2004", "-o", &output, &input]).exits(0);
    assert!(run.out.contains("\n  left out: triangles"), "{run:?}");
}
