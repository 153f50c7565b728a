//! The seeds in `fuzz/seeds`: those that the project makes itself, and others that were added by hand.
//!
//! `UPDATE_SEEDS=1 cargo test --workspace --test fuzz generated` writes what is made here.

use std::path::PathBuf;

use unreal_packages::primitive::{LongPosition, PackageFlags};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, EngineRelease, Versions};

use crate::common::objects::Random;
use crate::common::parts::Parts;
use crate::common::{builder, code, forms, level, ue4};
use crate::targets::{body_input, value_input};

/// A file and its bytes.
type Seed = (String, Vec<u8>);

fn folder(target: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "fuzz", "seeds", target].iter().collect()
}

/// The seeds of a target, by their files' names.
pub fn committed(target: &str) -> Vec<Seed> {
    let folder = folder(target);
    let files =
        std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut seeds: Vec<Seed> = files
        .map(|file| {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            (name, std::fs::read(file.path()).unwrap())
        })
        .collect();
    seeds.sort();
    seeds
}

#[test]
fn seeds_are_as_they_are_generated() {
    let update = std::env::var_os("UPDATE_SEEDS").is_some();
    for (target, seeds) in generated() {
        for (name, bytes) in seeds {
            let path = folder(target).join(name);
            if update {
                std::fs::create_dir_all(folder(target)).unwrap();
                std::fs::write(&path, &bytes).unwrap();
            }
            let found = std::fs::read(&path).unwrap_or_default();
            assert!(found == bytes, "{} is another one: run with UPDATE_SEEDS=1", path.display());
        }
    }
}

fn generated() -> Vec<(&'static str, Vec<Seed>)> {
    let mut all = vec![
        ("open", [packages(), damaged()].concat()),
        ("differential", packages()),
        ("save_identity", decoded()),
        ("bodies", bodies()),
        ("archives_agree", values()),
        ("edits", streams(24, 60)),
        ("conform", streams(16, 50)),
        ("usmap", mappings()),
        ("expressions", expressions()),
        #[cfg(feature = "json")]
        ("edit_files", edit_files()),
        ("ini", ini()),
    ];
    all.push(("merge", streams(24, 60)));
    all.push(("assembler", texts_of_code()));
    #[cfg(feature = "make")]
    all.push(("script", scripts()));
    #[cfg(feature = "scan")]
    all.push(("scan", [packages(), decoded()].concat()));
    #[cfg(feature = "container")]
    all.extend([
        ("pak", contained::paks()),
        ("iostore", contained::stores()),
        ("zen", contained::packages()),
    ]);
    #[cfg(feature = "compression")]
    all.extend([("compression", compressed::all()), ("related", compressed::related())]);
    #[cfg(feature = "content")]
    all.extend([("pictures", pictures::all()), ("meshes", meshes())]);
    #[cfg(feature = "json")]
    all.push(("json", documents()));
    all.shrink_to_fit();
    all
}

/// Class files, and choices of what the language can say.
#[cfg(feature = "make")]
fn scripts() -> Vec<Seed> {
    let texts = [
        "class Any extends Actor config(User);\nvar() config int Speed, Steps[3];\nfunction int F(int A, optional int B)\n{\n\tlocal int I;\n\tfor (I = 0; I < 3; I++)\n\t\tSpeed = A + I;\n\treturn Speed;\n}\ndefaultproperties\n{\n    Speed=3\n    Steps(1)=2\n}\n",
        "class Any extends Actor;\nauto state Idle\n{\n\tignores Touch;\nBegin:\n\tSleep(1);\n\tgoto 'Begin';\n}\nfunction G() { local Actor A; foreach AllActors(class'Actor', A) { if (A == None) break; Title = Title $ A.Count; } switch (Count) { case 1: default: Count++; } }\n",
        "class Any extends Object;\nstruct Pair { var int A; var string B; };\nvar array<Pair> All;\nvar array<int> L;\nreplication { reliable if (bOn) All; }\ndelegate D();\nfunction H() { L.Length = 2; L[0] = All.Length; All[0].A = -1; D(); }\n",
    ];
    let plain = (0_u8..)
        .zip(texts)
        .map(|(at, text)| seed(format!("text_{at}"), [&[at][..], text.as_bytes()].concat()));
    let chosen = (0_u8..8).map(|number| {
        let mut random = Random(u64::from(number) + 900);
        let bytes: Vec<u8> = (0..96).map(|_| random.below(256) as u8).collect();
        seed(format!("choices_{number}"), [vec![0x80 | number & 3], bytes].concat())
    });
    plain.chain(chosen).collect()
}

fn seed(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Seed {
    (name.into(), bytes.into())
}

/// Packages with every table that their versions have.
fn packages() -> Vec<Seed> {
    let older = [35, 61, 69, 128, 512, 868].map(|file| {
        seed(format!("rich_{file}"), Parts::rich(Versions::ue1_to_3(file, 0)).assemble())
    });
    let cooked = PackageFlags::FILTER_EDITOR_ONLY;
    let plain = PackageFlags(0);
    let newer = [
        ((4, 3), plain),
        ((4, 12), plain),
        ((4, 27), plain),
        ((4, 27), cooked),
        ((5, 4), plain),
        ((5, 7), cooked),
        ((5, 8), plain),
    ]
    .map(|((major, minor), flags)| {
        let versions = EngineRelease::new(major, minor).versions();
        let name =
            format!("rich_{major}_{minor}_{}", if flags == cooked { "cooked" } else { "editor" });
        seed(name, ue4::rich(&versions, flags).build().unwrap())
    });
    older.into_iter().chain(newer).collect()
}

/// Headers that end too early or say too much.
fn damaged() -> Vec<Seed> {
    let whole = Parts::rich(Versions::ue1_to_3(69, 0)).assemble();
    let mut counts = whole.clone();
    counts[12..16].copy_from_slice(&i32::MAX.to_le_bytes());
    let bare = ue4::rich(&EngineRelease::new(5, 6).versions(), PackageFlags::FILTER_EDITOR_ONLY);
    vec![
        seed("header_alone", &whole[..40]),
        seed("two_thousand_million_names", counts),
        seed("without_versions", bare.unversioned().build().unwrap()),
        seed("tag_twice", [0xc1, 0x83, 0x2a, 0x9e, 0xc1, 0x83, 0x2a, 0x9e, 0, 0, 1, 0]),
    ]
}

/// Packages whose bodies are decoded: properties, code, payloads that know where they stand.
fn decoded() -> Vec<Seed> {
    let of = |package: unreal_packages::Package| package.source().to_vec();
    let mut class = code::Code::new(Versions::ue1_to_3(69, 0), crate::common::GUID);
    class.object("Engine.Actor", "Core.Class");
    vec![
        seed("level_69", level::level(69)),
        seed("level_128", level::level(128)),
        seed("tagged_4_27", of(forms::tagged())),
        seed("pinned_4_27", of(forms::pinned())),
        seed("complete_5_4", of(forms::complete())),
        seed("texture_5_4", ue4::cooked_texture(EngineRelease::new(5, 4))),
        seed("imports_69", class.build()),
        seed("plain_684", builder(Versions::ue1_to_3(684, 0)).build().unwrap()),
        seed("struct_in_itself", *include_bytes!("../regressions/struct_in_itself.u")),
        seed("arrays_in_arrays", *include_bytes!("../regressions/arrays_in_arrays.u")),
        seed("map_of_itself", *include_bytes!("../regressions/map_of_itself.u")),
    ]
}

fn i32s(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn bodies() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |class: &str, versions: u8, body: &[u8]| {
        seeds.push(seed(format!("{class}_{versions}"), body_input(class, versions, body)));
    };
    // Version 69: no properties, then what the class has.
    add("TextBuffer", 1, b"\0\0\0\0\0\0\0\0\0\x03hi\0");
    add("Palette", 1, &[&[0, 2][..], &[1, 2, 3, 255, 4, 5, 6, 255]].concat());
    add(
        "Texture",
        1,
        &[&[0, 1][..], &i32s(&[0]), &[4, 9, 9, 9, 9], &i32s(&[2, 2]), &[1, 1]].concat(),
    );
    add("Sound", 1, &[&[0, 39][..], &i32s(&[0]), &[3, 7, 8, 9]].concat());
    add("Model", 1, &[0; 90]);
    add("Polys", 1, &[0; 24]);
    add("Mesh", 1, &[0; 200]);
    add("Function", 1, &[0; 40]);
    add("Struct", 1, &[0; 30]);
    // Value, an int of four bytes; Points, an array of nine.
    add("Actor", 1, &[1, 0x22, 7, 0, 0, 0, 32, 0x59, 9, 2, 7, 0, 0, 0, 8, 0, 0, 0, 0]);
    add("StaticMesh", 2, &[0; 200]);
    add("TerrainInfo", 2, &[0; 120]);
    // A net index, then the list's end.
    let ue3 = |rest: &[u8]| [&i32s(&[-1, 0, 0])[..], rest].concat();
    for class in ["Texture2D", "SoundNodeWave", "Material", "SkeletalMesh", "Level", "Terrain"] {
        add(class, 4, &ue3(&[0; 160]));
    }
    // A list's end, no GUID.
    for (class, size) in [("StaticMesh", 120), ("Texture2D", 60), ("DataTable", 24), ("Level", 90)]
    {
        add(class, 7, &[&i32s(&[0, 0, 0])[..], &vec![0; size]].concat());
        add(class, 8, &[&i32s(&[0, 0, 0])[..], &vec![0; size]].concat());
        add(class, 10, &[&[0][..], &i32s(&[0, 0, 0]), &vec![0; size]].concat());
        add(class, 11, &[&[0][..], &i32s(&[0, 0, 0]), &vec![0; size]].concat());
    }
    // Value, an IntProperty of four bytes at index 0, without a GUID.
    let value = [&i32s(&[1, 0, 2, 0, 4, 0])[..], &[0], &i32s(&[7])].concat();
    let list = [&value[..], &i32s(&[0, 0, 0])].concat();
    add("Thing", 7, &list);
    let array = [&i32s(&[33, 0, 4, 0, 12, 0, 2, 0])[..], &[0], &i32s(&[2, 10, 20])].concat();
    add("Thing", 6, &[&array[..], &list].concat());
    // The same with the complete tag of UE5.4.
    let complete = [&[0][..], &i32s(&[1, 0, 2, 0, 0, 4]), &[0], &i32s(&[7, 0, 0, 0])].concat();
    add("Thing", 10, &complete);
    add("BlueprintGeneratedClass", 7, &[0; 200]);
    add("UserDefinedStruct", 10, &[0; 160]);
    seeds
}

fn values() -> Vec<Seed> {
    let mut random = Random(3);
    let mut seeds = Vec::new();
    let types = unreal_packages::layouts().iter().filter(|link| link.value.is_some());
    for (at, layout) in types.filter_map(|link| link.layout()).enumerate().step_by(9) {
        let versions = (at / 9 % 28) as u8;
        let bytes: Vec<u8> = (0..8).map(|_| random.below(4) as u8).collect();
        seeds.push(seed(format!("{at:03}"), value_input((layout.path)(), versions, &bytes)));
    }
    let position = (LongPosition::LAYOUT.path)();
    seeds.push(seed("position_before_the_file", value_input(position, 126, &[0xff; 8])));
    seeds
}

/// Choices: the first byte is the package.
fn streams(count: u8, length: usize) -> Vec<Seed> {
    (0..count)
        .map(|number| {
            let mut random = Random(u64::from(number) + 77);
            let choices = (0..length).map(|_| random.below(256) as u8);
            seed(format!("{number:02}"), [number].into_iter().chain(choices).collect::<Vec<u8>>())
        })
        .collect()
}

/// Changes of the code of each package, and texts of their own.
fn texts_of_code() -> Vec<Seed> {
    let mut random = Random(11);
    let mut seeds: Vec<Seed> = (0..16)
        .map(|number| {
            let changes = (0..12).map(|_| random.below(256) as u8);
            let bytes: Vec<u8> = [0x80 | number].into_iter().chain(changes).collect();
            seed(format!("changes_{number:02}"), bytes)
        })
        .collect();
    let texts = [
        "code Thing\nend\n",
        "code Lamp.Shine\n  Return Nothing\n  EndOfScript\nend\n",
        "code Lamp\n  Jump @L1\n@L1:\n  Stop\n",
        "; a comment\ncode A.B\ncode C\nend\n",
    ];
    seeds.extend((0..).zip(texts).map(|(number, text)| {
        seed(format!("text_{number}"), [&[number as u8][..], text.as_bytes()].concat())
    }));
    seeds
}

fn mappings() -> Vec<Seed> {
    let mappings = forms::mappings();
    let mut seeds: Vec<Seed> = (0..5)
        .map(|version| seed(format!("version_{version}"), mappings.to_bytes(version).unwrap()))
        .collect();
    let block = mappings.to_bytes(0).unwrap()[12..].to_vec();
    let head = |method: u8, stored: usize| {
        let sizes = i32s(&[stored as i32, block.len() as i32]);
        [&[0xc4, 0x30, 0, method][..], &sizes].concat()
    };
    // A frame of one block that is stored as it is (RFC 8878); its size says itself.
    let size = (block.len() as u32) << 3 | 1;
    let frame =
        [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, block.len() as u8][..], &size.to_le_bytes()[..3], &block];
    let frame = frame.concat();
    seeds.push(seed("zstandard", [head(3, frame.len()), frame].concat()));
    let plain = [&[0xcc, 0x06][..], &block].concat();
    seeds.push(seed("oodle", [head(1, plain.len()), plain].concat()));
    seeds.push(seed("brotli", [head(2, 4), vec![0x3b, 0, 0, 0]].concat()));
    seeds
}

fn expressions() -> Vec<Seed> {
    vec![
        seed("condition", "class==Light && LightHue<30 || !(Location.Z>-1e3) && stored(Tag)"),
        seed("sum", "clamp(LightRadius*1.5/2%7-3, min(-8,0x10), sqrt(abs(value)))"),
        seed("texts", "Tag!~\"H*\\\"?\" && Skin==Texture'Skins.Blue' && Mesh==/Game/M.M"),
        seed("places", "Skins[2]=Blue,Map[\"a]\"].B>=(Location.Y)"),
        seed("plain", "Tag=Hall of fame"),
        seed("nested", "((((-(-(!(!true)))))))"),
        seed("cut", "Tag==\"Hall && ("),
    ]
}

#[cfg(feature = "json")]
fn edit_files() -> Vec<Seed> {
    vec![
        seed(
            "lines",
            "# half\nlet R = 32\nexpect count(Light*, class==Light) > 0\nset Light1.LightRadius=$R\n\
             duplicate Light1 'Light 9' # a copy\nadd-name \"a \\\"b\\\"\" ${R}$$\n",
        ),
        seed(
            "groups",
            "for 'Light*' --where 'LightHue<30' --where=class==Light {\nset $OBJECT.LightHue/=2\n\
             for ${NAME}_* {\nexpect $OBJECT.X == 1\nremove $OBJECT\n}\n}\n",
        ),
        seed(
            "parts",
            "base 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n\
             put A.B --row 3 --was 0011223344556677 '{\"a\": [1.5, \"it'\\''s\"]}'\n\
             put --key names --row 1 --count 2 --rows 0011223344556677 [1]\nput --key guid null\n\
             put -- --key {}\n",
        ),
        seed("doubled", "let A = xx\nlet B = $A$A\nlet C = $B$B\nset $C $B $A\n"),
        seed("open_group", "for A {\nset B.C=1\n"),
        seed("open_quote", "set 'A.B=1\n"),
    ]
}

fn ini() -> Vec<Seed> {
    let text = "; note\r\n[Core.System]\r\nPaths=../System/*.u\r\n+Paths=../Maps/*.unr\r\nPaths[3]=a\r\n\
                !Clear=\r\n-Paths=a\r\n\r\n[URL]\r\nName=Größe\r\nempty\r\n=x\r\nKey=\"a;b\"";
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    vec![
        seed("utf8", text),
        seed("utf8_mark", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        seed("latin", "[A]\nName=Gr\u{f6}\u{df}e\n".chars().map(|c| c as u8).collect::<Vec<u8>>()),
        seed("utf16", [vec![0xff, 0xfe], wide(text)].concat()),
        seed("utf16_big", [vec![0xfe, 0xff], big("[A]\rB=C\r")].concat()),
        seed("utf16_odd", [vec![0xff, 0xfe], wide("[A]\nB=C"), vec![7]].concat()),
        seed("empty", ""),
    ]
}

#[cfg(feature = "json")]
fn documents() -> Vec<Seed> {
    let mut random = Random(5);
    let mut seeds: Vec<Seed> = bodies()
        .into_iter()
        .step_by(3)
        .map(|(name, body)| seed(format!("body_{name}"), [vec![0], body].concat()))
        .collect();
    let bytes =
        unreal_packages::generate::Builder::new(69).name("A").guid(crate::common::GUID).build();
    let mut text = vec![1];
    unreal_packages::Package::from_bytes(bytes.unwrap())
        .unwrap()
        .to_json(&mut text, false)
        .unwrap();
    seeds.push(seed("text", text));
    for number in 2..18 {
        let changes = (0..12).map(|_| random.below(256) as u8);
        let bytes: Vec<u8> = [number].into_iter().chain(changes).collect();
        seeds.push(seed(format!("changes_{number:02}"), bytes));
    }
    seeds
}

#[cfg(feature = "container")]
mod contained {
    use super::*;
    use unreal_packages::Guid;
    use unreal_packages::container::iostore::{
        ChunkKind, IoStoreOptions, IoStoreWriter, StoreEntry,
    };
    use unreal_packages::container::pak::{PakOptions, PakVersion, PakWriter};
    use unreal_packages::container::{AesKey, BlockMethod};

    use crate::common::zen::{bundled, zen};
    use crate::targets::{CONTAINER_KEY, ZEN_RELEASES, container_input};

    /// A file that becomes smaller, one that does not, one in the folder above.
    fn files() -> Vec<(&'static str, Vec<u8>)> {
        let noise: Vec<u8> = {
            let mut random = Random(9);
            (0..90).map(|_| random.below(256) as u8).collect()
        };
        vec![
            ("Game/Content/Maps/Town.umap", b"roof wall roof door roof wall ".repeat(9)),
            ("Game/Content/A.uasset", noise),
            ("Empty.ini", Vec::new()),
        ]
    }

    fn key() -> Option<(Guid, AesKey)> {
        Some((Guid::new(1, 2, 3, 4), AesKey::new(CONTAINER_KEY)))
    }

    pub fn paks() -> Vec<Seed> {
        let mut seeds = Vec::new();
        for version in PakVersion::all() {
            for (what, method, key) in [
                ("plain", None, None),
                ("zlib", Some(BlockMethod::Zlib), None),
                ("locked", Some(BlockMethod::Zlib), key()),
            ] {
                let options = PakOptions { version, method, key, ..PakOptions::default() };
                let mut bytes = Vec::new();
                let mut writer = PakWriter::new(&mut bytes, options);
                let added = files()
                    .into_iter()
                    .try_for_each(|(path, content)| writer.add(path, &content).map(drop));
                if added.and_then(|()| writer.finish().map(drop)).is_ok() {
                    seeds.push(seed(format!("version_{version}_{what}"), bytes));
                }
            }
        }
        seeds
    }

    pub fn stores() -> Vec<Seed> {
        let mut seeds = Vec::new();
        for (version, header_version) in [(5, 1), (6, 3), (8, 5), (10, 5)] {
            for (what, method, key) in [
                ("plain", None, None),
                ("zlib", Some(BlockMethod::Zlib), None),
                ("locked", Some(BlockMethod::Lz4), key()),
            ] {
                let options = IoStoreOptions::new("Mod_P");
                let options = IoStoreOptions { version, header_version, method, key, ..options };
                let mut blocks = Vec::new();
                let mut writer = IoStoreWriter::new(&mut blocks, options).unwrap();
                for ((path, content), row) in files().into_iter().zip(1..) {
                    match ChunkKind::of_path(path) {
                        ChunkKind::ExportBundleData => {
                            writer.add_package(path, row, StoreEntry::default(), &content).unwrap();
                        }
                        kind => writer.add(path, row, kind, &content).unwrap(),
                    }
                }
                let toc = writer.finish().unwrap();
                seeds.push(seed(
                    format!("version_{version}_{what}"),
                    container_input(&toc, &blocks),
                ));
            }
        }
        seeds
    }

    pub fn packages() -> Vec<Seed> {
        let of = |number: usize, name: &str, bytes: &[u8]| {
            let (major, minor) = ZEN_RELEASES[number];
            seed(format!("{name}_{major}_{minor}"), [&[number as u8][..], bytes].concat())
        };
        let mut seeds = Vec::new();
        for (number, &(major, minor)) in ZEN_RELEASES.iter().enumerate() {
            let release = EngineRelease::new(major, minor);
            if (major, minor) >= (5, 3) {
                seeds.push(of(number, "tagged", &zen(release, false).bytes));
                seeds.push(of(number, "bare", &zen(release, true).bytes));
            } else {
                seeds.push(of(number, "bundles", &bundled(release, major == 5).0));
            }
        }
        seeds
    }
}

#[cfg(feature = "compression")]
mod compressed {
    use super::*;
    use unreal_packages::compression::redirect::Redirect;
    use unreal_packages::compression::{Method, Storage, UzForm, compress};
    use unreal_packages::package::SaveOptions;
    use unreal_packages::{Archived, Package, Saver};

    /// A save game, as it is and in its wrapper; texts of each version; a registry.
    pub fn related() -> Vec<Seed> {
        use crate::related::{registry, save_game, texts};
        let game = save_game();
        let wrapped = |method: u8| {
            let wrapper = unreal_packages::related::PackedSave { method, ..Default::default() };
            wrapper.pack(&game).unwrap()
        };
        let of = |kind: u8, bytes: Vec<u8>| [vec![kind], bytes].concat();
        let mut seeds = vec![
            seed("save", of(0, game.clone())),
            seed("save_packed_once", of(0, wrapped(b'1'))),
            seed("save_packed_twice", of(0, wrapped(b'2'))),
            seed("registry", of(2, registry())),
        ];
        seeds.extend((0..4).map(|version| seed(format!("texts_{version}"), of(1, texts(version)))));
        seeds
    }

    pub fn all() -> Vec<Seed> {
        let text = b"texture sound texture mesh texture level texture \x01\x02\x03".repeat(4);
        let mut seeds = vec![seed("text", [&[5], &text[..]].concat())];
        for (number, method) in (0..).zip(Method::ALL) {
            if !method.can_compress() {
                continue;
            }
            let mut framing = compress(&text, *method, 0x80).unwrap();
            let block = &framing.blocks[0];
            let size = (block.uncompressed_size as u16).to_le_bytes();
            let bytes = [&[number], &size[..], block.data.bytes(&[]).unwrap()].concat();
            seeds.push(seed(format!("block_{method}"), bytes));
            let mut saver = Saver::new(Versions::ue1_to_3(684, 0));
            framing.serialize(&mut saver).unwrap();
            seeds.push(seed(format!("framing_{method}"), [&[8], &saver.into_bytes()[..]].concat()));
            let package = builder(Versions::ue1_to_3(684, 0)).build().unwrap();
            let package = Package::from_bytes(package).unwrap();
            for storage in [Storage::Chunks(*method), Storage::Stream(*method)] {
                let saved = package.save(&SaveOptions::new().storage(storage)).unwrap().bytes;
                let kind = if matches!(storage, Storage::Stream(_)) { "stream" } else { "chunks" };
                seeds.push(seed(format!("{kind}_{method}"), [&[9], &saved[..]].concat()));
            }
        }
        let redirects = [
            (Redirect::Uz(UzForm::FourStages), "uz"),
            (Redirect::Uz(UzForm::FiveStages), "uz_new"),
            (Redirect::Uz2, "uz2"),
            (Redirect::Uz3, "uz3"),
        ];
        for (redirect, name) in redirects {
            seeds.push(seed(name, [&[6], &redirect.pack(&text).unwrap()[..]].concat()));
        }
        seeds.push(seed("oodle_stored", [&[4, 20, 0, 0xcc, 0x06][..], &text[..20]].concat()));
        seeds.push(seed(
            "buffer",
            [&[7, 0xb7, 0x75, 0x63, 0x62][..], &[0; 11], &[1], &[0; 60]].concat(),
        ));
        seeds
    }
}

/// A tetrahedron with frames and levels, and a text of glTF with a sparse accessor, a strip and places of nodes.
#[cfg(feature = "content")]
fn meshes() -> Vec<Seed> {
    use unreal_packages::mesh::{Animation, Lod, Mesh, MeshMaterial, MeshSection, Morph};
    let lod = Lod {
        positions: vec![[0.0; 3], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 0.0, 100.0]],
        uvs: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]],
        colors: vec![[255, 0, 0, 255]; 4],
        sections: vec![
            MeshSection { material: 0, indices: vec![0, 1, 2, 0, 2, 3] },
            MeshSection { material: 1, indices: vec![0, 3, 1, 1, 3, 2] },
        ],
        morphs: vec![Morph { name: "Up".to_owned(), positions: vec![[0.0, 0.0, 7.0]; 4] }],
        ..Lod::default()
    };
    let material = |name: &str| MeshMaterial { name: name.to_owned(), ..MeshMaterial::default() };
    let mesh = Mesh {
        name: "Rock".to_owned(),
        lods: vec![lod.clone(), Lod { morphs: Vec::new(), ..lod }],
        materials: vec![material("Stone"), material("Engine.Texture'Botpack.Skins.Moss'")],
        animations: vec![Animation {
            name: "Jump".to_owned(),
            frame_seconds: 0.1,
            frames: vec![0, 1],
            tracks: Vec::new(),
        }],
        ..Mesh::default()
    };
    let text = br#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
"nodes": [{"children": [1], "translation": [1, 2, 3], "scale": [-1, 1, 2]}, {"mesh": 0, "rotation": [0, 0, 1, 0]},
{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5, "indices": 1}]}],
"buffers": [{"byteLength": 48, "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAQACAAAAAQACAAAA"}],
"bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1,
"indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}},
{"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}]}"#;
    vec![seed("rock.glb", mesh.to_glb().unwrap()), seed("strip.gltf", *text)]
}

#[cfg(feature = "content")]
mod pictures {
    use super::*;
    use unreal_packages::content::{Image, Pixels};

    /// A BMP of 4 by 2 pixels with its palette in colours of four bytes.
    fn bmp(bits: u16, compression: u32, colors: &[u32], data: &[u8]) -> Vec<u8> {
        let start = 54 + 4 * colors.len() as u32;
        let mut file = b"BM".to_vec();
        file.extend([start + data.len() as u32, 0, start, 40, 4, 2].map(u32::to_le_bytes).concat());
        file.extend([1, bits].map(u16::to_le_bytes).concat());
        file.extend([compression, 0, 0, 0, colors.len() as u32, 0].map(u32::to_le_bytes).concat());
        file.extend(colors.iter().flat_map(|color| color.to_le_bytes()));
        file.extend(data);
        file
    }

    pub fn all() -> Vec<Seed> {
        let palette = vec![[9, 8, 7, 255], [1, 2, 3, 4]];
        let png =
            |width, height, pixels| Image::new(width, height, pixels).unwrap().to_png().unwrap();
        let colors = [0, 0x0001_0203, 0x00ff_8040, 0x0000_00ff];
        let rgba = (0..64).map(|at| [at * 4, 255 - at, at, 255]).collect();
        let wave =
            b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x22\x56\0\0\x01\0\x08\0\
                     data\x04\0\0\0\x80\x81\x82\x83";
        vec![
            seed(
                "indexed.png",
                png(3, 2, Pixels::Indexed { indices: vec![0, 1, 1, 0, 1, 1], palette }),
            ),
            seed("gray.png", png(2, 2, Pixels::Gray(vec![1, 2, 3, 4]))),
            seed("gray16.png", png(2, 2, Pixels::Gray16(vec![1, 2, 300, 4]))),
            seed("rgba.png", png(8, 8, Pixels::Rgba(rgba))),
            seed("one_bit.bmp", bmp(1, 0, &colors[..2], &[0xa0, 0, 0, 0, 0x60, 0, 0, 0])),
            seed("four_bits.bmp", bmp(4, 0, &colors, &[0x01, 0x23, 0, 0, 0x32, 0x10, 0, 0])),
            seed("eight_bits.bmp", bmp(8, 0, &colors, &[0, 1, 2, 3, 3, 2, 1, 0])),
            seed("runs_of_four.bmp", bmp(4, 2, &colors, &[4, 0x13, 0, 0, 0, 4, 1, 0x23, 0, 1])),
            seed("runs_of_eight.bmp", bmp(8, 1, &colors, &[2, 3, 0, 0, 0, 2, 1, 0, 3, 1, 0, 1])),
            seed("colours.bmp", bmp(24, 0, &[], &[7; 24])),
            seed("outside.bmp", bmp(8, 0, &colors, &[0, 1, 2, 3, 3, 9, 1, 0])),
            seed("wave.wav", *wave),
            seed("module.it", *b"IMPM\0\0\0\0"),
            seed("ogg", *b"OggS\0\x02\0\0\0\0"),
            seed("jpeg", *b"\xff\xd8\xff\xe0\0\x04\0\0\xff\xc0\0\x0b\x08\0\x02\0\x04"),
        ]
    }
}
