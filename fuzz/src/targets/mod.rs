//! The targets: each takes bytes and panics where a law does not hold.

mod archives_agree;
mod assembler;
mod bodies;
#[cfg(feature = "compression")]
mod compression;
mod conform;
#[cfg(feature = "container")]
mod containers;
mod differential;
#[cfg(feature = "json")]
mod edit_files;
mod edits;
mod expressions;
mod ini;
mod input;
#[cfg(feature = "json")]
mod json;
mod merge;
#[cfg(feature = "content")]
mod meshes;
mod open;
mod operations;
#[cfg(feature = "content")]
mod pictures;
#[cfg(feature = "compression")]
mod related;
mod save_identity;
#[cfg(feature = "scan")]
mod scan;
#[cfg(feature = "make")]
mod script;
mod usmap;
mod versions;
#[cfg(feature = "container")]
mod zen;

use unreal_packages::package::{OpenOptions, Package};

/// Something of the library that any bytes are offered to.
pub struct Target {
    /// The name of the program and of the folder of seeds.
    pub name: &'static str,
    /// Panics where a law does not hold.
    pub run: fn(&[u8]),
    /// Whether a case takes a millisecond or so, and not ten.
    pub fast: bool,
}

/// Every target that the features have.
pub const ALL: &[Target] = &[
    Target { name: "open", run: open::run, fast: true },
    Target { name: "save_identity", run: save_identity::run, fast: true },
    Target { name: "bodies", run: bodies::run, fast: true },
    Target { name: "edits", run: edits::run, fast: false },
    #[cfg(feature = "json")]
    Target { name: "json", run: json::run, fast: true },
    Target { name: "usmap", run: usmap::run, fast: true },
    #[cfg(feature = "compression")]
    Target { name: "compression", run: compression::run, fast: true },
    Target { name: "conform", run: conform::run, fast: false },
    #[cfg(feature = "content")]
    Target { name: "pictures", run: pictures::run, fast: true },
    #[cfg(feature = "content")]
    Target { name: "meshes", run: meshes::run, fast: true },
    Target { name: "expressions", run: expressions::run, fast: true },
    #[cfg(feature = "json")]
    Target { name: "edit_files", run: edit_files::run, fast: true },
    Target { name: "ini", run: ini::run, fast: true },
    Target { name: "archives_agree", run: archives_agree::run, fast: true },
    Target { name: "differential", run: differential::run, fast: false },
    #[cfg(feature = "container")]
    Target { name: "pak", run: containers::pak, fast: true },
    #[cfg(feature = "container")]
    Target { name: "iostore", run: containers::iostore, fast: true },
    #[cfg(feature = "container")]
    Target { name: "zen", run: zen::run, fast: true },
    #[cfg(feature = "compression")]
    Target { name: "related", run: related::run, fast: true },
    Target { name: "assembler", run: assembler::run, fast: true },
    Target { name: "merge", run: merge::run, fast: false },
    #[cfg(feature = "scan")]
    Target { name: "scan", run: scan::run, fast: true },
    #[cfg(feature = "make")]
    Target { name: "script", run: script::run, fast: true },
];

pub use archives_agree::input as value_input;
pub use bodies::input as body_input;
#[cfg(feature = "container")]
pub use containers::{KEY as CONTAINER_KEY, input as container_input};
#[cfg(feature = "container")]
pub use zen::RELEASES as ZEN_RELEASES;

/// Offers the bytes to the target of this name.
pub fn run(name: &str, data: &[u8]) {
    let target = ALL.iter().find(|target| target.name == name).expect("a known target");
    (target.run)(data);
}

/// Most bytes that may come out of a compressed package.
const MOST_IMAGE: u64 = 4 << 20;

/// How every input is opened.
fn options() -> OpenOptions {
    OpenOptions::new().max_image(MOST_IMAGE).threads(1)
}

/// An error is one line that says something.
#[track_caller]
fn is_readable(error: &unreal_packages::Error) {
    let text = error.to_string();
    assert!(!text.is_empty() && text.lines().count() == 1, "{text:?}");
}

/// The package saves as these bytes, or it says why not.
#[track_caller]
fn saves_as(package: &Package, bytes: &[u8]) {
    match package.to_bytes() {
        Err(error) => is_readable(&error),
        Ok(saved) if saved == bytes => {}
        Ok(saved) => {
            let at = saved.iter().zip(bytes).position(|(one, other)| one != other);
            panic!("{} bytes are saved as {}, other ones from {at:x?}", bytes.len(), saved.len());
        }
    }
}
