//! Save games and texts of languages that games have made.

#[cfg(all(feature = "json", feature = "compression", feature = "content"))]
use unreal_packages::content::{RegistryTable, TableFormat};
#[cfg(all(feature = "json", feature = "compression"))]
use unreal_packages::related::AssetRegistry;
#[cfg(feature = "compression")]
use unreal_packages::related::LocalizationMeta;
use unreal_packages::related::{LocalizedTexts, SaveFile, SaveGame};

use crate::files;
use crate::folders::has;

/// Save games, texts of languages.
pub fn are_there() -> Result<(), String> {
    has("saves")
}

pub fn save_games_are_typed_and_saved_byte_for_byte() {
    let mut checked = 0;
    for (name, bytes) in files::of("saves") {
        if !SaveGame::recognise(&bytes) {
            continue;
        }
        let mut save =
            SaveFile::read(bytes.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let coverage = save.coverage();
        assert_eq!(coverage.opaque, 0, "{name}");
        assert_eq!(coverage.typed + coverage.payload, bytes.len() as u64, "{name}");
        assert!(save.save().unwrap() == bytes, "{name}");
        assert_eq!(save.game().end, 0, "{name}");
        for value in save.values() {
            assert_eq!(save.value(&value.path).unwrap().text, value.text, "{name} {}", value.path);
        }
        checked += 1;
    }
    assert_eq!(checked, 14);
}

/// What `get` prints `set` takes, and saves no other byte.
pub fn values_of_save_games_are_set_to_what_they_are() {
    let mut set = 0;
    for (name, bytes) in files::of("saves") {
        if !SaveGame::recognise(&bytes) || bytes.len() > 100_000 {
            continue;
        }
        let mut save = SaveFile::read(bytes.clone()).unwrap();
        for value in save.values() {
            save.set(&value.path, &value.text).unwrap_or_else(|error| panic!("{name}: {error}"));
            set += 1;
        }
        assert!(save.save().unwrap() == bytes, "{name}");
    }
    assert!(set > 100, "{set}");
}

pub fn texts_of_languages_are_saved_byte_for_byte_and_changed() {
    let mut versions = [0; 4];
    for (name, bytes) in files::of("saves") {
        if !name.ends_with(".locres") {
            continue;
        }
        let (mut texts, coverage) = LocalizedTexts::read(bytes.clone()).unwrap();
        assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0), "{name}");
        assert!(texts.save(bytes.clone()).unwrap() == bytes, "{name}");
        versions[usize::from(texts.version)] += 1;
        if texts.version >= 2 {
            assert_eq!(texts.keys(), texts.key_count as usize, "{name}");
        }
        let before = texts.entries(&bytes).unwrap();
        let (path, old) = before.last().unwrap().clone();
        assert_eq!(texts.set(&path, "Ein längerer Text", &bytes).unwrap(), old, "{name}");
        let saved = texts.save(bytes.clone()).unwrap();
        let (again, _) = LocalizedTexts::read(saved.clone()).unwrap();
        let after = again.entries(&saved).unwrap();
        let changed: Vec<_> = before.iter().zip(&after).filter(|(a, b)| a != b).collect();
        assert_eq!(changed.len(), 1, "{name}");
        assert_eq!(changed[0].1.1, "Ein längerer Text");
    }
    assert!(versions.iter().all(|&files| files > 0), "{versions:?}");
}

/// Registries of 5.8 and 6.0, with what packages need of each other, stand in containers.
#[cfg(all(feature = "container", feature = "json", feature = "compression"))]
pub fn registries_in_containers_are_typed_and_saved_byte_for_byte() {
    use unreal_packages::container::GameContainer;
    let mut found = Vec::new();
    for (name, path, options) in crate::containers::all("pak") {
        let pak = GameContainer::open(&path, &options).unwrap();
        let row = pak.files().iter().position(|file| file.ends_with("AssetRegistry.bin"));
        if let Some(row) = row {
            found.push((name, pak.read_checked(row).unwrap().to_vec()));
        }
    }
    for (name, bytes) in &found {
        let (registry, _) = AssetRegistry::read(bytes.clone()).unwrap();
        assert_eq!(registry.version, 24, "{name}");
        assert!(registry.dependencies.len() > 200 && registry.packages.len() > 600, "{name}");
    }
    assert_eq!(registries_are_right(found), 3);
}

/// Registries, whose documents give the same bytes.
#[cfg(all(feature = "json", feature = "compression"))]
pub fn registries_are_typed_and_saved_byte_for_byte() {
    assert_eq!(registries_are_right(files::of("saves")), 2);
}

#[cfg(all(feature = "json", feature = "compression"))]
fn registries_are_right(files: Vec<(String, Vec<u8>)>) -> usize {
    let mut checked = 0;
    for (name, bytes) in files {
        if !AssetRegistry::recognise(&bytes) {
            continue;
        }
        let (mut registry, coverage) = AssetRegistry::read(bytes.clone()).unwrap();
        assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0), "{name}");
        assert!(registry.save(bytes.clone()).unwrap() == bytes, "{name}");
        let mut tags = 0;
        for asset in &registry.assets {
            let (path, class) = registry.asset_path(asset, &bytes);
            assert!(path.starts_with('/') && !class.is_empty(), "{name}: {path} {class}");
            tags += registry.tags_of(asset, &bytes).unwrap().len();
        }
        assert!(tags > registry.assets.len(), "{name}: {tags}");
        let document = registry.to_json(bytes.clone()).unwrap();
        let mut again = AssetRegistry::from_json(&document).unwrap();
        assert!(again.save(Vec::new()).unwrap() == bytes, "{name}");
        #[cfg(feature = "content")]
        is_a_table(&name, registry, &bytes);
        checked += 1;
    }
    checked
}

/// A registry comes out as a table and goes back byte for byte; one cell, and rows that come, go and stand elsewhere, change
/// what they say and nothing else.
#[cfg(all(feature = "json", feature = "compression", feature = "content"))]
fn is_a_table(name: &str, mut registry: AssetRegistry, bytes: &[u8]) {
    let table = registry.table(bytes).unwrap();
    for format in TableFormat::ALL {
        let file = table.file(*format).unwrap();
        let change = registry.replace_rows(&file, *format, bytes).unwrap();
        assert!(!change.is_change(), "{name} {format}: {change:?}");
    }
    assert!(registry.save(bytes.to_vec()).unwrap() == bytes, "{name}");

    // A tag of the first asset that has one which is no text to translate gets another value, and the asset stands last; the
    // last one of the others goes.
    let rows: Vec<String> = table.rows().map(str::to_owned).collect();
    let tags = || table.columns().iter().filter(|column| column.starts_with("tag "));
    let is_plain = |row, tag: &&String| {
        table.cell(row, tag).is_some_and(|text| !text.is_empty() && !text.contains("LOC"))
    };
    let found = (0..rows.len()).find_map(|row| Some((row, tags().find(|tag| is_plain(row, tag))?)));
    let (row, tag) = found.expect("an asset has a tag");
    let gone = rows.iter().rfind(|it| **it != rows[row]).unwrap();
    let mut made = registry.clone();
    let mut text = format!("ObjectPath,{tag}\n");
    for path in rows.iter().filter(|it| *it != gone && **it != rows[row]) {
        let at = rows.iter().position(|it| it == path).unwrap();
        let cell = table.cell(at, tag).unwrap_or_default().replace('"', "\"\"");
        text += &format!("{path},\"{cell}\"\n");
    }
    text += &format!("{},Grüße\n", rows[row]);
    let change = made.replace_rows(text.as_bytes(), TableFormat::Csv, bytes).unwrap();
    let count = rows.iter().filter(|it| *it == gone).count();
    assert_eq!((change.cells, change.added, change.removed), (1, 0, count), "{name}");
    let saved = made.save(bytes.to_vec()).unwrap();
    let (mut again, _) = AssetRegistry::read(saved.clone()).unwrap();
    assert!(again.save(saved.clone()).unwrap() == saved, "{name}");
    let now = again.table(&saved).unwrap();
    let last = now.rows().len() - 1;
    assert_eq!(now.cell(last, tag).as_deref(), Some("Grüße"), "{name}");
    for (at, path) in now.rows().enumerate().take(last) {
        let before = rows.iter().position(|it| it == path).unwrap();
        for column in table.columns() {
            assert_eq!(now.cell(at, column), table.cell(before, column), "{name} {path} {column}");
        }
    }
    let others = |registry: &AssetRegistry, source: &[u8]| {
        let entries = registry.entries(source).unwrap();
        entries.into_iter().filter(|entry| entry.group != "asset").collect::<Vec<_>>()
    };
    assert!(others(&again, &saved) == others(&registry, bytes), "{name}");
}

/// Save games of public projects behind what games put around them, and the languages of texts.
#[cfg(feature = "compression")]
pub fn files_of_public_projects_are_typed_and_saved_byte_for_byte() {
    let (mut oodle, mut languages) = (0, 0);
    for (name, bytes) in files::of("wild/saves") {
        if LocalizationMeta::recognise(&bytes) {
            let (mut meta, coverage) = LocalizationMeta::read(bytes.clone()).unwrap();
            assert_eq!((coverage.typed, coverage.opaque), (bytes.len() as u64, 0), "{name}");
            assert!(meta.save(bytes.clone()).unwrap() == bytes, "{name}");
            languages += 1;
            continue;
        }
        if !SaveFile::recognise(&bytes) {
            continue;
        }
        let mut save =
            SaveFile::read(bytes.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(save.save().unwrap() == bytes, "{name}");
        if save.wrapper().is_none_or(|wrapper| wrapper.codec != b'M') {
            continue;
        }
        oodle += 1;
        // A changed one says the same but for the change, and changes back.
        let values = save.values();
        let number = values.iter().find(|value| value.property_type.to_string() == "int");
        if let Some(number) = number {
            save.set(&number.path, "1234567").unwrap();
            let mut changed = SaveFile::read(save.save().unwrap()).unwrap();
            assert_eq!(changed.value(&number.path).unwrap().text, "1234567", "{name}");
            changed.set(&number.path, &number.text).unwrap();
            assert_eq!(changed.values(), values, "{name}");
        }
    }
    assert_eq!((oodle, languages), (7, 1));
}

/// Save games in a wrapper.
#[cfg(all(feature = "json", feature = "compression"))]
pub fn packed_save_games_are_read_and_saved_byte_for_byte() {
    let mut checked = 0;
    for (name, bytes) in files::of("saves") {
        if SaveGame::recognise(&bytes) || !SaveFile::recognise(&bytes) {
            continue;
        }
        let mut save = SaveFile::read(bytes.clone()).unwrap();
        assert!(save.save().unwrap() == bytes, "{name}");
        assert!(save.values().len() > 1, "{name}");
        let value = save.values().into_iter().find(|value| value.path == "Timestamp");
        println!("{name}: {} values, {value:?}", save.values().len());
        checked += 1;
    }
    assert!(checked > 0);
}
