//! Files beside packages: save games, texts of languages.

use proptest::prelude::*;
use unreal_packages::related::{LocalizedTexts, SaveFile};
use unreal_packages::version::UnrealVersions;

#[path = "../common/related.rs"]
pub mod made;

use made::{save_game, texts};

#[test]
fn save_games_are_typed_and_saved_byte_for_byte() {
    let bytes = save_game();
    let mut save = SaveFile::read(bytes.clone()).unwrap();
    assert_eq!(save.coverage().typed, bytes.len() as u64);
    assert_eq!(save.save().unwrap(), bytes);
    let values: Vec<_> = save.values().into_iter().map(|value| (value.path, value.text)).collect();
    let expected = [
        ("Health", "75"),
        ("Player", "Straße"),
        ("Weapon", "/Game/Sword.Sword"),
        ("Mode", "EMode::Fast"),
        ("Places", "(Cave,None)"),
        ("Home", "(Level=3)"),
    ];
    assert_eq!(values, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    assert_eq!(save.value("Home.Level").unwrap().text, "3");
    assert_eq!(save.value("Places[0]").unwrap().text, "Cave");
}

#[test]
fn values_of_save_games_change_and_go_back() {
    let bytes = save_game();
    let mut save = SaveFile::read(bytes.clone()).unwrap();
    let changes = [
        ("Health", "-1"),
        ("Player", "Somebody_else"),
        ("Weapon", "/Game/Axe.Axe"),
        ("Places", "(Cave,Hall,Tower)"),
        ("Home.Level", "12"),
    ];
    let mut before = Vec::new();
    for (path, text) in changes {
        let (old, new) = save.set(path, text).unwrap();
        assert_eq!(new, text);
        before.push((path, old));
    }
    let saved = save.save().unwrap();
    let mut again = SaveFile::read(saved.clone()).unwrap();
    assert_eq!(again.coverage().opaque, 0);
    for (path, text) in changes {
        assert_eq!(again.value(path).unwrap().text, text);
    }
    for (path, old) in before {
        again.set(path, &old).unwrap();
    }
    assert_eq!(again.save().unwrap(), bytes);
    // What is wrong changes nothing.
    for (path, text) in [("Health", "many"), ("Nothing", "1"), ("Home.None", "1"), ("", "1")] {
        assert!(save.set(path, text).is_err(), "{path}");
    }
    assert_eq!(save.save().unwrap(), saved);
    let error = save.value("Healt").unwrap_err().to_string();
    assert!(error.contains("not found"), "{error}");
}

#[test]
fn a_list_that_is_a_later_element_is_found_by_its_path() {
    let bytes = save_game();
    let tag = b"ArrayProperty\0";
    let at = memchr::memmem::find(&bytes, tag).unwrap() + tag.len() + 4;
    let mut bytes = bytes.to_vec();
    // A negative one as well: nothing but its bytes says which element it is.
    bytes[at..at + 4].copy_from_slice(&(-37_i32).to_le_bytes());
    let negative = SaveFile::read(bytes.clone()).unwrap();
    let paths: Vec<_> = negative.values().into_iter().map(|value| value.path).collect();
    assert!(paths.iter().all(|path| negative.value(path).is_ok()), "{paths:?}");
    bytes[at..at + 4].copy_from_slice(&37_i32.to_le_bytes());
    let mut save = SaveFile::read(bytes.clone()).unwrap();
    let paths: Vec<_> = save.values().into_iter().map(|value| value.path).collect();
    assert!(paths.iter().any(|path| path == "Places[37]"), "{paths:?}");
    for path in paths {
        save.value(&path).unwrap();
    }
    assert_eq!(save.value("Places[37][0]").unwrap().text, "Cave");
    save.set("Places[37]", "(Hall)").unwrap();
    assert_eq!(save.value("Places[37]").unwrap().text, "(Hall)");
    assert!(save.value("Places[36]").is_err());
}

#[test]
fn names_without_a_zero_are_saved_as_they_were() {
    let bytes = save_game().to_vec();
    // The name that ends the last list: four characters and what stood for their zero.
    let text = b"\x05\0\0\0None\0";
    let at = memchr::memmem::rfind(&bytes, text).unwrap();
    let mut bytes = bytes;
    bytes[at] = 4;
    match SaveFile::read(bytes.clone()) {
        Ok(mut save) => assert_eq!(save.save().unwrap(), bytes),
        Err(error) => assert!(error.to_string().contains("terminating zero"), "{error}"),
    }
}

#[test]
fn what_a_game_appends_is_kept_and_counted() {
    let mut bytes = save_game();
    bytes.extend(b"own data");
    let mut save = SaveFile::read(bytes.clone()).unwrap();
    assert_eq!(save.coverage().opaque, 8);
    assert_eq!(save.save().unwrap(), bytes);
}

#[test]
fn texts_of_every_version_are_saved_byte_for_byte_and_changed() {
    for version in 0..4 {
        let bytes = texts(version);
        let (mut read, coverage) = LocalizedTexts::read(bytes.clone()).unwrap();
        assert_eq!(read.version, version);
        assert_eq!(coverage.typed, bytes.len() as u64);
        assert_eq!(read.save(bytes.clone()).unwrap(), bytes);
        let entries = read.entries(&bytes).unwrap();
        let paths: Vec<_> = entries.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["Menu/Start", "Menu/Stop", "/Bare"]);
        // A string that two entries share becomes two, and one again.
        assert_eq!(read.set("Menu/Start", "Los", &bytes).unwrap(), "Go");
        assert_eq!(read.set("/Bare", "Bär", &bytes).unwrap(), "Nackt – ohne");
        let saved = read.save(bytes.clone()).unwrap();
        let (mut again, _) = LocalizedTexts::read(saved.clone()).unwrap();
        let texts: Vec<_> = again.entries(&saved).unwrap().into_iter().map(|(_, it)| it).collect();
        assert_eq!(texts, ["Los", "Go", "Bär"]);
        if version >= 2 {
            let users: Vec<_> = again.strings.iter().map(|string| string.users).collect();
            assert_eq!(users, [1, 1, 1]);
        }
        assert_eq!(again.set("Menu/Start", "Go", &saved).unwrap(), "Los");
        if version >= 2 {
            assert_eq!(again.strings[0].users, 2);
        }
        assert!(again.set("Menu/Nothing", "Go", &saved).is_err());
    }
}

#[test]
fn damaged_files_are_errors_or_files() {
    let mut files: Vec<_> = (0..4).map(texts).collect();
    files.push(save_game());
    let mut errors = 0;
    for file in &files {
        for at in 0..file.len() {
            let mut changed = vec![file[..at].to_vec()];
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = file.clone();
                bytes[at] = value;
                changed.push(bytes);
            }
            for bytes in changed {
                // What opens is saved as it was.
                match SaveFile::read(bytes.clone()) {
                    Ok(mut save) => assert_eq!(save.save().unwrap(), bytes),
                    Err(_) => errors += 1,
                }
                match LocalizedTexts::read(bytes.clone()) {
                    Ok((mut texts, _)) => assert_eq!(texts.save(bytes.clone()).unwrap(), bytes),
                    Err(_) => errors += 1,
                }
            }
        }
    }
    assert!(errors > 1000, "{errors}");
}

proptest! {
    #[test]
    fn any_bytes_are_errors_or_files(mut bytes in prop::collection::vec(any::<u8>(), 0..300), save in any::<bool>()) {
        if save {
            bytes.splice(0..0, save_game().into_iter().take(120));
        }
        if let Ok(mut save) = SaveFile::read(bytes.clone()) {
            prop_assert_eq!(save.save().unwrap(), bytes.clone());
        }
        if let Ok((mut texts, _)) = LocalizedTexts::read(bytes.clone()) {
            prop_assert_eq!(texts.save(bytes.clone()).unwrap(), bytes);
        }
    }

    #[test]
    fn values_that_are_set_are_there(number: i32, name in "[A-Za-z][a-zé]{0,20}") {
        let mut save = SaveFile::read(save_game()).unwrap();
        save.set("Health", &number.to_string()).unwrap();
        save.set("Player", &name).unwrap();
        let again = SaveFile::read(save.save().unwrap()).unwrap();
        prop_assert_eq!(again.value("Health").unwrap().text, number.to_string());
        prop_assert_eq!(again.value("Player").unwrap().text, name);
    }
}

#[test]
fn properties_that_are_not_stored_are_added_where_their_type_is_said() {
    let bytes = save_game();
    let mut save = SaveFile::read(bytes.clone()).unwrap();
    let refused = save.set("Lives", "3").unwrap_err().to_string();
    assert!(refused.contains("Lives") && refused.contains("NAME:TYPE"), "{refused}");
    assert_eq!(save.save().unwrap(), bytes);
    for (path, text) in
        [("Lives:int", "3"), ("Nick:string", "Größe"), ("Seen:array:name", "(Cave)")]
    {
        save.set(path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let saved = save.save().unwrap();
    let again = SaveFile::read(saved.clone()).unwrap();
    assert_eq!((again.coverage().opaque, again.coverage().typed), (0, saved.len() as u64));
    assert_eq!(again.value("Lives").unwrap().text, "3");
    assert_eq!(again.value("Nick").unwrap().text, "\"Größe\"");
    assert_eq!(again.value("Seen[0]").unwrap().text, "Cave");
    assert_eq!(again.value("Health").unwrap().text, "75");
}

#[cfg(feature = "compression")]
#[test]
fn packed_save_games_are_read_changed_and_packed_again() {
    use unreal_packages::related::PackedSave;
    use unreal_packages::{Archived, Saver, Span, Versions};

    let inside = save_game();
    for method in *b"012" {
        let packed = PackedSave { method, ..PackedSave::default() }.pack(&inside).unwrap();
        assert_eq!(packed[..4], (inside.len() as u32).to_le_bytes());
        assert_eq!(&packed[8..12], &[b'P', b'l', b'Z', method]);
        let mut save = SaveFile::read(packed.clone()).unwrap();
        assert_eq!(save.wrapper().unwrap().method, method);
        assert_eq!(save.save().unwrap(), packed);
        let coverage = save.coverage();
        assert_eq!((coverage.typed, coverage.payload), (12, packed.len() as u64 - 12));
        save.set("Health", "12").unwrap();
        let changed = save.save().unwrap();
        let again = SaveFile::read(changed).unwrap();
        assert_eq!(again.value("Health").unwrap().text, "12");
        assert_eq!(again.wrapper().unwrap().method, method);
        // Cut, of another size, by another method.
        assert!(SaveFile::read(packed[..packed.len() - 3].to_vec()).is_err());
        let mut wrong = packed.clone();
        wrong[0] ^= 1;
        assert!(SaveFile::read(wrong).is_err());
        let mut wrong = packed;
        wrong[11] = b'7';
        assert!(SaveFile::read(wrong).is_err());
    }
    // Bytes that unpack to more than they may.
    let large = vec![0; 300 << 20];
    let wrapper = PackedSave { method: b'1', ..PackedSave::default() };
    let bomb = wrapper.pack(&large).unwrap();
    assert!(bomb.len() < 1 << 20);
    let refused = SaveFile::read(bomb).unwrap_err().to_string();
    assert!(refused.contains("larger than"), "{refused}");
    let mut saver = Saver::new(Versions::ue4_and_5(0, 0));
    let mut plain = PackedSave { data: Span::owned(inside), method: b'0', ..wrapper };
    plain.serialize(&mut saver).unwrap();
    assert!(SaveFile::read(saver.into_bytes()).is_err(), "the header says 0 bytes");
}

#[cfg(feature = "json")]
#[test]
fn documents_of_texts_give_the_same_bytes_and_take_new_ones() {
    for version in 0..4 {
        let bytes = texts(version);
        let (mut read, _) = LocalizedTexts::read(bytes.clone()).unwrap();
        let document = read.to_json(bytes.clone()).unwrap();
        let mut again = LocalizedTexts::from_json(&document)
            .unwrap_or_else(|error| panic!("{version}: {error}\n{document:#}"));
        assert_eq!(again.save(Vec::new()).unwrap(), bytes, "{version}: {document:#}");
        let text = document.to_string().replace("\"Go\"", "\"Und los\"");
        let changed = serde_json::from_str(&text).unwrap();
        let saved = LocalizedTexts::from_json(&changed).unwrap().save(Vec::new()).unwrap();
        let (read, _) = LocalizedTexts::read(saved.clone()).unwrap();
        let entries = read.entries(&saved).unwrap();
        assert!(entries.iter().any(|(_, text)| text == "Und los"), "{version}: {entries:?}");
    }
}

#[cfg(feature = "compression")]
#[test]
fn save_games_that_oodle_packs_are_changed_into_blocks_that_it_stores() {
    use unreal_packages::related::PackedSave;

    let wrapper = PackedSave { codec: b'M', method: b'1', ..PackedSave::default() };
    let inside = save_game();
    let packed = wrapper.pack(&inside).unwrap();
    assert_eq!(packed[8..14], *b"PlM1\xcc\x0a");
    let mut save = SaveFile::read(packed.clone()).unwrap();
    assert_eq!(save.save().unwrap(), packed);
    save.set("Health", "12").unwrap();
    let changed = save.save().unwrap();
    let mut again = SaveFile::read(changed.clone()).unwrap();
    assert_eq!(again.value("Health").unwrap().text, "12");
    assert_eq!(again.save().unwrap(), changed);
    // More than two blocks of 256 KiB.
    let long: Vec<u8> = (0..600_000_u32).map(|at| (at / 7) as u8).collect();
    let file = bytes::Bytes::from(wrapper.pack(&long).unwrap());
    assert_eq!(file.len(), 12 + 3 * 2 + long.len());
    assert!(PackedSave::read(&file).unwrap().1 == long);
    // Oodle has no stream within a stream, and no stream holds more than its blocks can.
    let mut twice = packed.clone();
    twice[11] = b'2';
    assert!(SaveFile::read(twice).is_err());
    let mut large = packed;
    large[..4].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    let refused = SaveFile::read(large).unwrap_err().to_string();
    assert!(refused.contains("can't come out"), "{refused}");
}

#[cfg(feature = "compression")]
#[test]
fn bytes_that_games_put_before_save_games_stay() {
    use unreal_packages::related::PackedSave;

    let inside = save_game();
    let packed = PackedSave { method: b'1', ..PackedSave::default() }.pack(&inside).unwrap();
    for (prefix, rest, may_change) in [
        (b"CMTA".as_slice(), &inside, true),
        (b"CMTA", &packed, true),
        (b"\x01\0\0\0\x02\0\0\0CNK0", &packed, false),
    ] {
        let file = [prefix, rest].concat();
        assert!(SaveFile::recognise(&file));
        let mut save = SaveFile::read(file.clone()).unwrap();
        assert_eq!(save.prefix(), prefix);
        let coverage = save.coverage();
        assert_eq!(coverage.typed + coverage.payload, file.len() as u64);
        assert_eq!(save.save().unwrap(), file);
        save.set("Health", "12").unwrap();
        match save.save() {
            Ok(changed) => {
                assert!(may_change && changed.starts_with(prefix));
                assert_eq!(SaveFile::read(changed).unwrap().value("Health").unwrap().text, "12");
            }
            Err(error) => assert!(!may_change && error.to_string().contains("CNK"), "{error}"),
        }
    }
    assert!(!SaveFile::recognise(b"CMTA and something else"));
}

#[test]
fn languages_of_texts_are_typed_changed_and_saved_byte_for_byte() {
    use unreal_packages::FString;
    use unreal_packages::primitive::Bool32;
    use unreal_packages::related::LocalizationMeta;

    for version in 0..=2 {
        let mut made = LocalizationMeta {
            version,
            native_culture: FString::new("de"),
            native_resource: FString::new("de/Game.locres"),
            ..LocalizationMeta::default()
        };
        if version >= 1 {
            made.compiled_cultures = ["de", "en"].map(FString::new).to_vec();
        }
        made.is_user_content = Bool32(u32::from(version == 2));
        let bytes = made.save(Vec::new()).unwrap();
        let (mut read, coverage) = LocalizationMeta::read(bytes.clone()).unwrap();
        assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0));
        assert_eq!(read.save(bytes.clone()).unwrap(), bytes);
        let count = read.values(&bytes).unwrap().len();
        assert_eq!(count, [2, 4, 5][usize::from(version)]);
        assert_eq!(read.set("NativeCulture", "fr-CA", &bytes).unwrap(), "de");
        assert!(read.set("CompiledCultures[2]", "fr", &bytes).is_err());
        assert_eq!(read.set("CompiledCultures[1]", "fr", &bytes).is_ok(), version > 0);
        let changed = read.save(bytes.clone()).unwrap();
        let (read, _) = LocalizationMeta::read(changed.clone()).unwrap();
        assert_eq!(read.values(&changed).unwrap()[0].1, "fr-CA");
        // What an older version lacks is not lost in silence.
        if version > 0 {
            let mut older = made.clone();
            older.version -= 1;
            assert!(older.save(Vec::new()).is_err(), "{version}");
        }
        for length in 0..bytes.len() {
            let read = LocalizationMeta::read(bytes[..length].to_vec());
            assert!(read.is_err(), "{version}: {length}");
        }
        #[cfg(feature = "json")]
        {
            let document = made.to_json(Vec::new()).unwrap();
            let mut again = LocalizationMeta::from_json(&document).unwrap();
            assert_eq!(again.save(Vec::new()).unwrap(), bytes);
        }
    }
    let mut newer = LocalizationMeta::default().save(Vec::new()).unwrap();
    newer[16] = 3;
    assert!(LocalizationMeta::read(newer).is_err());
}

/// The smallest block of Oodle that was seen: 256 KiB of one byte.
#[cfg(feature = "compression")]
#[test]
fn blocks_of_one_byte_come_out_of_oodle_as_large_as_they_can_be() {
    use unreal_packages::related::PackedSave;

    let block = [0x8c, 0x06, 0x07, 0xff, 0xff, 0x00];
    let file = |size: u32| {
        let sizes = [size.to_le_bytes(), 6_u32.to_le_bytes()].concat();
        bytes::Bytes::from([&sizes, b"PlM1".as_slice(), &block].concat())
    };
    let (_, inside) = PackedSave::read(&file(0x4_0000)).unwrap();
    assert!(inside.len() == 0x4_0000 && inside.iter().all(|byte| *byte == 0));
    // Sixty-four KiB a byte are the most: a header of a block takes four.
    let refused = PackedSave::read(&file(6 * 0x1_0000 + 1)).unwrap_err().to_string();
    assert!(refused.contains("can't come out"), "{refused}");
}
