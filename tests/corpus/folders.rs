//! Where the corpus of real packages is, and which of its folders are there.

use std::path::{Path, PathBuf};

/// The folder that `UPK_CORPUS` names, from the workspace on if it is relative, or `../shared/corpus`.
fn named() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    let folder = std::env::var_os("UPK_CORPUS").unwrap_or("../shared/corpus".into());
    workspace.unwrap_or(package).join(folder)
}

/// The corpus, in tests that need one of its folders.
pub fn corpus() -> PathBuf {
    let folder = named();
    assert!(
        folder.is_dir(),
        "no corpus at {}: the test does not say that it needs it",
        folder.display()
    );
    folder
}

/// Of tests that take minutes and say the same of most packages the door runs a part: every so many packages.
/// `FARCHIVE_WHOLE` asks for all of them, as .ci/long does.
#[allow(dead_code, reason = "the command's tests take all")]
pub fn every(packages: usize) -> usize {
    if std::env::var_os("FARCHIVE_WHOLE").is_some() { 1 } else { packages }
}

/// Whether the corpus has a folder of this name.
pub fn has(folder: &str) -> Result<(), String> {
    let corpus = named();
    let is_there =
        ["classic", "conform", "modern"].iter().any(|folder| corpus.join(folder).is_dir());
    match is_there {
        _ if corpus.join(folder).is_dir() => Ok(()),
        true => Err(format!("needs the corpus: {} has no {folder}/", corpus.display())),
        false => {
            Err("needs the corpus: set UPK_CORPUS to a folder with classic/, conform/, modern/"
                .to_owned())
        }
    }
}

/// Packages of UE1 to UE3.
pub fn classic() -> Result<(), String> {
    has("classic")
}

/// Releases of the same packages of UE1, each conformed to the one before.
pub fn conform() -> Result<(), String> {
    has("conform")
}

/// Packages of UE4 and UE5.
pub fn ue4_and_ue5() -> Result<(), String> {
    has("modern")
}
