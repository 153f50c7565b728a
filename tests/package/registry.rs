//! Registries of assets.

use proptest::prelude::*;
use unreal_packages::primitive::Utf8String;
use unreal_packages::related::{
    AssetRegistry, ExportPath, PlainPair, PlainPath, RegistryAsset, RegistryBundle, RegistryName,
    RegistryNode, RegistryPackage, RegistryPath, RegistryRow, RegistryText, TagPair, TagRange,
    TagValue,
};
use unreal_packages::{FString, Guid, Span};

use crate::related::made::registry as by_hand;

fn name(row: u32) -> RegistryName {
    RegistryName { row, number: 0 }
}

#[test]
fn a_registry_made_by_hand_is_typed_and_saved_byte_for_byte() {
    let bytes = by_hand();
    let (mut registry, coverage) = AssetRegistry::read(bytes.clone()).unwrap();
    assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0));
    assert_eq!(registry.save(bytes.clone()).unwrap(), bytes);
    let asset = &registry.assets[0];
    let (path, class) = registry.asset_path(asset, &bytes);
    assert_eq!((path.as_str(), class.as_str()), ("/Game/A.A_2", "Texture2D"));
    let tags = registry.tags_of(asset, &bytes).unwrap();
    assert_eq!(tags, [("Size".to_owned(), "Größe".to_owned())]);
    assert_eq!((asset.chunks.clone(), asset.package_flags), (vec![12], 0x200));
    assert_eq!(registry.dependencies[0].lists[0], [1]);
    assert_eq!(registry.dependencies[1].lists[5], [0]);
    let mut wrong = bytes.clone();
    wrong[20] += 1;
    assert!(AssetRegistry::read(wrong).unwrap_err().to_string().contains("offset"));
    let mut newer = bytes;
    newer[16] = 99;
    assert!(AssetRegistry::read(newer).is_err());
}

/// A registry with something of everything that the version has.
fn rich(version: i32) -> AssetRegistry {
    let new = version >= 8;
    let text = |text: &str| RegistryText {
        hash: 0x0201_0403,
        text: if new { FString::EMPTY } else { FString::new(text) },
        wide: false,
        characters: if new { Span::owned(text.as_bytes().to_vec()) } else { Span::default() },
    };
    let mut registry = AssetRegistry { version, ..AssetRegistry::default() };
    registry.filter_editor_only = version >= 17;
    registry.names.rows = ["/Game/A", "A", "Class", "Key"].map(text).to_vec();
    if new {
        registry.names.hash_version = 0xc164_0000;
        let parts = if version >= 14 { 4 } else { 3 };
        let tags = &mut registry.tags;
        tags.texts_first = version % 2 == 0;
        let utf8 = version >= 19;
        tags.plain_names = vec![1];
        tags.names = vec![RegistryName { row: 1, number: 5 }];
        tags.plain_paths = vec![PlainPath(vec![2; parts])];
        tags.paths = vec![ExportPath(vec![name(2); parts])];
        tags.texts = if utf8 { Vec::new() } else { vec![FString::new("Straße")] };
        tags.utf8_texts = if utf8 { vec![Utf8String::new("Straße")] } else { Vec::new() };
        (tags.ansi_starts, tags.wide_starts) = (vec![0], vec![0]);
        tags.ansi = Span::owned(b"yes\0".to_vec());
        tags.wide =
            Span::owned("Öl\0".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
        let value = |kind: u32| TagValue(kind);
        tags.plain_pairs = (0..7).map(|kind| PlainPair { key: 3, value: value(kind) }).collect();
        tags.pairs = vec![TagPair { key: RegistryName { row: 3, number: 1 }, value: value(1) }];
    }
    let asset = name(1);
    registry.assets = vec![RegistryAsset {
        object_path: if version < 15 { name(1) } else { RegistryName::default() },
        package_path: name(0),
        class_package: if version >= 14 { name(3) } else { RegistryName::default() },
        class: name(2),
        group: if version < 4 { name(3) } else { RegistryName::default() },
        package: name(0),
        asset,
        outer_path: if (15..17).contains(&version) { name(1) } else { RegistryName::default() },
        tags: if new { Vec::new() } else { vec![(name(3), FString::new("Wert"))] },
        tag_range: if new { TagRange(1 << 63 | 7 << 32) } else { TagRange::default() },
        bundles: match new {
            true => vec![RegistryBundle {
                name: asset,
                assets: vec![RegistryPath {
                    package: name(0),
                    asset: if version >= 14 { asset } else { RegistryName::default() },
                    sub_path: FString::new("Sub"),
                }],
            }],
            false => Vec::new(),
        },
        chunks: vec![0, 3],
        package_flags: 7,
    }];
    let lists = match version {
        ..5 => vec![vec![0]; 5],
        5 | 6 => vec![vec![0]; 6],
        _ => vec![vec![0]; 4],
    };
    let words = if version >= 7 { vec![21] } else { Vec::new() };
    // Eleven managers with three bits each need a second word.
    let managers = if version >= 22 { vec![21, 1] } else { words.clone() };
    let lists = match version {
        22.. => vec![vec![0], vec![0], vec![0; 11], vec![0]],
        _ => lists,
    };
    registry.dependencies = vec![RegistryNode {
        parts: 5,
        identifier: vec![name(0), name(1)],
        lists,
        package_flags: words,
        manage_flags: managers,
    }];
    let since = |since: i32, value: i32| if version >= since { value } else { 0 };
    registry.packages = vec![RegistryPackage {
        name: name(0),
        size: 1 << 40,
        cooked_hash: (version >= 6).then_some([9; 16]),
        ue4: since(9, 522),
        ue5: since(11, 1009),
        licensee: since(9, 1),
        flags: since(9, 2) as u32,
        custom: if version >= 9 { vec![(Guid::new(1, 2, 3, 4), 5)] } else { Vec::new() },
        imported_classes: if version >= 10 { vec![name(2)] } else { Vec::new() },
        extension: if version >= 17 { FString::new("uasset") } else { FString::EMPTY },
        guid: if version < 20 { Guid::new(4, 3, 2, 1) } else { Guid::default() },
        saved_hash: if version < 20 { [0; 20] } else { [7; 20] },
        ..RegistryPackage::default()
    }];
    registry
}

#[test]
fn registries_of_every_version_come_back_and_say_their_tags() {
    for version in 3..=24 {
        let saved = rich(version).save(Vec::new()).unwrap();
        let (mut read, coverage) = AssetRegistry::read(saved.clone()).unwrap();
        assert_eq!((coverage.typed, coverage.opaque), (saved.len() as u64, 0), "{version}");
        assert_eq!(read.save(saved.clone()).unwrap(), saved, "{version}");
        let tags = read.tags_of(&read.assets[0], &saved).unwrap();
        let values: Vec<_> = tags.iter().map(|(_, value)| value.as_str()).collect();
        match version {
            ..8 => assert_eq!(values, ["Wert"]),
            8..14 => assert_eq!(
                values,
                ["yes", "Öl", "A", "A_4", "Class'Class.Class'", "Class'Class.Class'", "Straße"]
            ),
            _ => assert_eq!(values[5], "Class.Class'Class.Class'"),
        }
        // What a version lacks is not lost in silence.
        let newer = version + 1;
        if [4, 5, 7, 8, 14, 15, 19, 20].contains(&newer) {
            let mut other = rich(version);
            other.version = newer;
            assert!(other.save(Vec::new()).is_err(), "{newer}");
        }
    }
}

#[test]
fn a_tag_of_one_asset_changes_and_those_of_others_stay() {
    for version in 3..=24 {
        let mut registry = rich(version);
        let mut other = registry.assets[0].clone();
        other.asset = name(2);
        registry.assets.push(other);
        let saved = registry.save(Vec::new()).unwrap();
        let (read, _) = AssetRegistry::read(saved.clone()).unwrap();
        for text in ["plain", "größer 大"] {
            let mut changed = read.clone();
            let old = changed.set("/Game/A.A[Key]", text, &saved).unwrap();
            assert_eq!(old, if version < 8 { "Wert" } else { "yes" }, "{version}");
            let bytes = changed.save(saved.clone()).unwrap();
            let (again, coverage) = AssetRegistry::read(bytes.clone()).unwrap();
            assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0), "{version}");
            let tags = |row: usize| again.tags_of(&again.assets[row], &bytes).unwrap();
            assert_eq!(tags(0)[0].1, text, "{version}");
            let before = read.tags_of(&read.assets[1], &saved).unwrap();
            assert_eq!(tags(1), before, "{version}");
            assert_eq!(tags(0)[1..], before[1..], "{version}");
            // Once more: the asset has pairs of its own now.
            let mut twice = again.clone();
            twice.set("/game/a.a[key]", "twice", &bytes).unwrap();
            assert_eq!(twice.tags.plain_pairs.len(), again.tags.plain_pairs.len(), "{version}");
        }
        let mut changed = read.clone();
        for wrong in ["/Game/A.A", "/Game/A.B[Key]", "/Game/A.A[Size]"] {
            assert!(changed.set(wrong, "x", &saved).is_err(), "{version}: {wrong}");
        }
        assert!(changed.set("/Game/A.A[ChunkIDs]", "1,x", &saved).is_err());
        assert_eq!(changed, read);
        assert_eq!(changed.set("/Game/A.A[ChunkIDs]", "1, 5", &saved).unwrap(), "0,3");
        assert_eq!(changed.assets[0].chunks, [1, 5]);
        assert_eq!(changed.set("/Game/A.A[PackageFlags]", "0x10", &saved).unwrap(), "0x7");
        assert_eq!(changed.assets[0].package_flags, 16);
    }
}

/// An asset that is new, one that stays with another tag, and one that is gone.
#[test]
fn assets_come_go_and_stand_elsewhere() {
    for version in 3..=24 {
        let mut registry = rich(version);
        let mut other = registry.assets[0].clone();
        other.asset = name(2);
        registry.assets.push(other);
        let saved = registry.save(Vec::new()).unwrap();
        let (read, _) = AssetRegistry::read(saved.clone()).unwrap();
        let class = if version < 14 { "World" } else { "/Script/Engine.World" };
        let tag = |key: &str, value: &str| (key.to_owned(), Some(value.to_owned()));
        let new = RegistryRow {
            path: "/Game/Größe/New_2.New_2".to_owned(),
            class: Some(class.to_owned()),
            chunks: Some("4, 5".to_owned()),
            package_flags: Some("0x3".to_owned()),
            tags: vec![tag("Key", "eins"), tag("Fresh_3", "größer"), tag("Key_0", "eins")],
            ..RegistryRow::default()
        };
        let kept = RegistryRow {
            from: Some(1),
            tags: vec![tag("key", "other")],
            ..RegistryRow::default()
        };
        let mut changed = read.clone();
        changed.set_rows(&[new.clone(), kept.clone()], &saved).unwrap();
        let bytes = changed.save(saved.clone()).unwrap();
        let (again, coverage) = AssetRegistry::read(bytes.clone()).unwrap();
        assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0), "{version}");
        assert_eq!(again.assets.len(), 2, "{version}");
        let made = &again.assets[0];
        let words = |text: &str| text.to_owned();
        let path = words("/Game/Größe/New_2.New_2");
        assert_eq!(again.asset_path(made, &bytes), (path.clone(), words(class)), "{version}");
        assert_eq!(again.names.text(made.package_path, &bytes), "/Game/Größe", "{version}");
        if version < 15 {
            assert_eq!(again.names.text(made.object_path, &bytes), path, "{version}");
        }
        assert_eq!((made.chunks.as_slice(), made.package_flags), (&[4, 5][..], 3), "{version}");
        let tags = again.tags_of(made, &bytes).unwrap();
        let wanted = [("Key", "eins"), ("Fresh_3", "größer"), ("Key_0", "eins")];
        assert_eq!(tags, wanted.map(|(key, value)| (words(key), words(value))), "{version}");
        // A name that is there is not added again, and a number is none of its text.
        let texts = again.names.rows.iter().map(|row| row.text(&bytes).into_owned());
        let texts: Vec<_> = texts.collect();
        assert_eq!(texts.iter().filter(|text| *text == "Key").count(), 1, "{version}");
        assert!(!texts.contains(&words("Fresh_3")), "{version}: {texts:?}");
        let before = read.tags_of(&read.assets[1], &saved).unwrap();
        let after = again.tags_of(&again.assets[1], &bytes).unwrap();
        assert_eq!((&*after[0].1, &after[1..]), ("other", &before[1..]), "{version}");
        assert_eq!(again.dependencies, read.dependencies, "{version}");
        assert_eq!(again.packages.len(), read.packages.len(), "{version}");

        let mut less = read.clone();
        let gone = RegistryRow {
            from: Some(0),
            tags: vec![("Key".to_owned(), None)],
            ..RegistryRow::default()
        };
        less.set_rows(&[gone], &saved).unwrap();
        let bytes = less.save(saved.clone()).unwrap();
        let (less, _) = AssetRegistry::read(bytes.clone()).unwrap();
        assert_eq!(less.tags_of(&less.assets[0], &bytes).unwrap(), before[1..], "{version}");

        let mut same = read.clone();
        let mut there = new.clone();
        there.path = "/game/a.a".to_owned();
        let own = |from| RegistryRow { from: Some(from), ..RegistryRow::default() };
        let classless = RegistryRow { class: None, ..new.clone() };
        let lost = RegistryRow { path: words("Game"), ..new.clone() };
        let wrong = RegistryRow { class: Some(words("No.Class")), ..new.clone() };
        let zero = RegistryRow { tags: vec![tag("A", "\0")], ..new.clone() };
        for rows in [
            vec![own(0), there],
            vec![own(1), own(1)],
            vec![own(2)],
            vec![classless],
            vec![lost],
            vec![wrong],
            vec![new.clone(), new.clone()],
        ] {
            assert!(same.set_rows(&rows, &saved).is_err(), "{version}: {rows:?}");
            assert_eq!(same, read, "{version}");
        }
        if version >= 8 {
            assert!(same.set_rows(&[zero], &saved).is_err(), "{version}");
            // A text that can be translated would lose its key.
            let mut texts = rich(version);
            texts.tags.plain_pairs.reverse();
            let saved = texts.save(Vec::new()).unwrap();
            let error = texts.set_rows(&[RegistryRow { from: Some(0), ..kept }], &saved);
            let error = error.unwrap_err().to_string();
            assert!(error.contains("/Game/A.A: the tag 'key' is a text"), "{error}");
        }
    }
}

#[test]
fn entries_of_a_registry_name_what_they_refer_to() {
    for version in 3..=24 {
        let saved = rich(version).save(Vec::new()).unwrap();
        let (read, _) = AssetRegistry::read(saved.clone()).unwrap();
        let entries = read.entries(&saved).unwrap();
        let groups: Vec<_> = entries.iter().map(|it| (it.group, it.path.as_str())).collect();
        let wanted =
            [("asset", "/Game/A.A"), ("dependencies", "/Game/A:A"), ("package", "/Game/A")];
        assert_eq!(groups, wanted, "{version}");
        let has = |row: usize, field: &str, value: &str| {
            let fields = entries[row].fields.iter();
            let found: Vec<_> =
                fields.filter(|(name, _)| name == field).map(|(_, it)| it).collect();
            assert!(found.iter().any(|it| *it == value), "{version}: {field}: {entries:#?}");
        };
        has(0, "tag Key", if version < 8 { "Wert" } else { "yes" });
        has(0, "ChunkIDs", "0,3");
        match version {
            ..7 => has(1, "hard /Game/A:A", "yes"),
            // The lowest five of the bits.
            _ => has(1, "package /Game/A:A", "0x15"),
        }
        has(2, "size", "1099511627776");
        if version >= 8 {
            let path = if version >= 14 { "/Game/A.A:Sub" } else { "/Game/A:Sub" };
            has(0, "bundle A", path);
        }
    }
}

#[test]
fn a_few_bytes_do_not_become_any_number_of_texts() {
    let mut registry = rich(7);
    registry.names.rows[0].text = FString::new(&"x".repeat(1 << 20));
    // Each needs the first one, which has a long name.
    let node = registry.dependencies[0].clone();
    registry.dependencies = vec![RegistryNode { identifier: vec![name(1), name(1)], ..node }; 2];
    registry.dependencies[0].identifier = vec![name(0), name(1)];
    registry.dependencies[1].lists[0] = vec![0; 5000];
    registry.dependencies[1].package_flags = vec![0; (5000_usize * 5).div_ceil(32)];
    let saved = registry.save(Vec::new()).unwrap();
    let (read, _) = AssetRegistry::read(saved.clone()).unwrap();
    let error = read.entries(&saved).unwrap_err().to_string();
    assert!(error.contains("far larger"), "{error}");
}

#[cfg(feature = "json")]
#[test]
fn documents_of_registries_give_the_same_bytes() {
    for version in 3..=24 {
        let saved = rich(version).save(Vec::new()).unwrap();
        let (mut read, _) = AssetRegistry::read(saved.clone()).unwrap();
        let document = read.to_json(saved.clone()).unwrap();
        let mut again = AssetRegistry::from_json(&document)
            .unwrap_or_else(|error| panic!("{version}: {error}\n{document:#}"));
        assert_eq!(again.save(Vec::new()).unwrap(), saved, "{version}: {document:#}");
        // A longer name moves what follows.
        // Texts of UTF-8 are digits in a document, those beyond ASCII at least.
        let digits =
            |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        let text = document
            .to_string()
            .replace("Straße", "Straßenbahn")
            .replace(&digits("Straße"), &digits("Straßenbahn"))
            .replace("Wert", "Der Wert");
        let changed: serde_json::Value = serde_json::from_str(&text).unwrap();
        let longer = AssetRegistry::from_json(&changed).unwrap().save(Vec::new()).unwrap();
        let (read, _) = AssetRegistry::read(longer.clone()).unwrap();
        let tags = read.tags_of(&read.assets[0], &longer).unwrap();
        let last = &tags.last().unwrap().1;
        assert!(last == "Der Wert" || last == "Straßenbahn", "{version}: {last}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_registries_are_errors(at in 0_usize..2000, bits in 1_u8.., version in 3_i32..=24) {
        let mut bytes = rich(version).save(Vec::new()).unwrap();
        let at = at % bytes.len();
        bytes[at] ^= bits;
        if let Ok((mut read, _)) = AssetRegistry::read(bytes.clone()) {
            prop_assert_eq!(read.save(bytes.clone()).unwrap(), bytes.clone());
            for asset in &read.assets {
                let _ = (read.asset_path(asset, &bytes), read.tags_of(asset, &bytes));
            }
        }
        let _ = AssetRegistry::read(bytes[..at].to_vec());
    }
}

#[test]
fn a_registry_without_names_ends_their_batch_at_once() {
    let saved = AssetRegistry { version: 8, ..AssetRegistry::default() }.save(Vec::new()).unwrap();
    let (mut read, coverage) = AssetRegistry::read(saved.clone()).unwrap();
    assert_eq!((read.names.rows.len(), coverage.opaque), (0, 0));
    assert_eq!(read.save(saved.clone()).unwrap(), saved);
    assert_eq!(saved[20..28], [0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12], "no names, then the tags");
}

/// From version 24 the parts of the store begin at multiples of 16 bytes, with zeros before them.
#[test]
fn parts_of_a_store_that_is_mapped_are_aligned() {
    let saved = rich(24).save(Vec::new()).unwrap();
    let (read, _) = AssetRegistry::read(saved.clone()).unwrap();
    let find = |bytes: &[u8]| saved.windows(bytes.len()).position(|part| part == bytes).unwrap();
    let begin = find(&0x1234_5679_u32.to_le_bytes());
    assert_eq!((begin % 16, find("Straße".as_bytes()) % 16, find(b"yes\0") % 16), (0, 4, 0));
    assert_eq!(read.tags.utf8_texts.len(), 1);
    // What stands there is kept, or refused.
    let mut dirty = saved.clone();
    assert_eq!(dirty[begin + 60], 0);
    dirty[begin + 60] = 1;
    let error = AssetRegistry::read(dirty).unwrap_err().to_string();
    assert!(error.contains("not zero"), "{error}");
    // Where texts stand in their own order the start alone is aligned.
    let mut other = rich(24);
    other.tags.texts_first = false;
    let saved = other.save(Vec::new()).unwrap();
    let (mut read, coverage) = AssetRegistry::read(saved.clone()).unwrap();
    assert_eq!((coverage.opaque, read.save(saved.clone()).unwrap() == saved), (0, true));
}
