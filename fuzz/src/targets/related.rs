//! Save games, texts of languages and asset registries: what is read is saved as it was, and what is set is read
//! again.

use bytes::Bytes;
use unreal_packages::related::{AssetRegistry, LocalizationMeta, LocalizedTexts, SaveFile};

use super::is_readable;
use crate::memory;

/// Memory for a file of this many bytes, packed ones aside.
fn limit(length: usize) -> usize {
    (64 << 20) + 64 * length
}

pub fn run(data: &[u8]) {
    let Some((&kind, file)) = data.split_first() else { return };
    let file = Bytes::copy_from_slice(file);
    let (read, length) = match kind % 4 {
        0 => (save as fn(Bytes), file.len()),
        1 => (texts as fn(Bytes), file.len()),
        3 => (languages as fn(Bytes), file.len()),
        _ => (registry as fn(Bytes), file.len()),
    };
    let packed = SaveFile::recognise(&file) && !file.starts_with(b"GVAS");
    let ((), peak) = memory::peak(|| read(file));
    assert!(packed || peak <= limit(length), "{peak} bytes of memory for {length}");
}

fn save(file: Bytes) {
    let _ = SaveFile::recognise(&file);
    let mut save = match SaveFile::read(file.clone()) {
        Ok(save) => save,
        Err(error) => return is_readable(&error),
    };
    let saved = save.save().unwrap_or_else(|error| panic!("what was read is not saved: {error}"));
    assert!(saved == file, "what was read is saved otherwise");
    for value in save.values().iter().take(16) {
        let again = save.value(&value.path);
        let again = again.unwrap_or_else(|error| panic!("{} is not found: {error}", value.path));
        // Two properties of one name have one path.
        let _ = again.text == value.text;
        let mut changed = save.clone();
        match changed.set(&value.path, "7") {
            Err(error) => is_readable(&error),
            Ok((_, new)) => {
                let Ok(bytes) = changed.save() else { continue };
                let again = SaveFile::read(bytes)
                    .unwrap_or_else(|error| panic!("{} set: {error}", value.path));
                assert_eq!(again.value(&value.path).map(|it| it.text).ok(), Some(new));
            }
        }
    }
}

fn languages(file: Bytes) {
    let (mut meta, _) = match LocalizationMeta::read(file.clone()) {
        Ok(read) => read,
        Err(error) => return is_readable(&error),
    };
    let saved = meta.save(file.clone());
    let saved = saved.unwrap_or_else(|error| panic!("what was read is not saved: {error}"));
    assert!(saved == file, "what was read is saved otherwise");
}

fn texts(file: Bytes) {
    let (mut texts, coverage) = match LocalizedTexts::read(file.clone()) {
        Ok(read) => read,
        Err(error) => return is_readable(&error),
    };
    assert_eq!(
        coverage.typed + coverage.payload + coverage.opaque + coverage.gap,
        file.len() as u64
    );
    let saved = texts.save(file.clone());
    let saved = saved.unwrap_or_else(|error| panic!("what was read is not saved: {error}"));
    assert!(saved == file, "what was read is saved otherwise");
    let Ok(entries) = texts.entries(&file).map_err(|error| is_readable(&error)) else { return };
    if let Some((path, _)) = entries.first() {
        let mut changed = texts.clone();
        match changed.set(path, "Neu – 新", &file) {
            Err(error) => is_readable(&error),
            Ok(_) => {
                let bytes = changed.save(file.clone()).unwrap_or_else(|error| panic!("{error}"));
                let (again, _) = LocalizedTexts::read(bytes.clone())
                    .unwrap_or_else(|error| panic!("{path} set: {error}"));
                let entries = again.entries(&bytes).unwrap_or_else(|error| panic!("{error}"));
                assert!(entries.iter().any(|entry| &entry.0 == path && entry.1 == "Neu – 新"));
            }
        }
    }
    #[cfg(feature = "json")]
    there_and_back(texts.to_json(file.clone()), |document| {
        LocalizedTexts::from_json(document)?.save(Bytes::new())
    });
}

fn registry(file: Bytes) {
    let (mut registry, coverage) = match AssetRegistry::read(file.clone()) {
        Ok(read) => read,
        Err(error) => return is_readable(&error),
    };
    assert_eq!(
        coverage.typed + coverage.payload + coverage.opaque + coverage.gap,
        file.len() as u64
    );
    let saved = registry.save(file.clone());
    let saved = saved.unwrap_or_else(|error| panic!("what was read is not saved: {error}"));
    assert!(saved == file, "what was read is saved otherwise");
    #[cfg(feature = "json")]
    there_and_back(registry.to_json(file.clone()), |document| {
        AssetRegistry::from_json(document)?.save(Bytes::new())
    });
}

/// What a document says is what its file says.
#[cfg(feature = "json")]
fn there_and_back(
    document: unreal_packages::Result<serde_json::Value>,
    file: impl Fn(&serde_json::Value) -> unreal_packages::Result<Vec<u8>>,
) {
    match document {
        Err(error) => is_readable(&error),
        Ok(document) => {
            file(&document).unwrap_or_else(|error| panic!("reading what was written: {error}"));
        }
    }
}
