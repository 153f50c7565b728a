//! The files of the corpus, by its folders.

use crate::folders::corpus;

/// The files of a corpus folder that are packages or claim to be, by name.
pub fn of(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(corpus().join(folder))
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && !path.extension().is_some_and(|e| e == "tsv" || e == "md"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no files");
    files
}
