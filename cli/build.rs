//! The page that the command hands out: built by web/build before, and compressed.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=UPK_PAGE");
    let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let built = manifest.join("../web/dist/page.html");
    let file = env::var_os("UPK_PAGE").map_or(built, PathBuf::from);
    // Without it the command says what to do.
    let mut page = Vec::new();
    if env::var_os("CARGO_FEATURE_PAGE").is_some() {
        println!("cargo:rerun-if-changed={}", file.display());
        page = fs::read(&file).unwrap_or_default();
    }
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default().join("page.html");
    if let Err(error) = fs::write(&out, page) {
        panic!("{}: {error}", out.display());
    }
}
