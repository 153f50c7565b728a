//! What a scan does not look at of what nobody has named.

use std::path::Path;

use crate::package::CompanionKind;

/// What a file that an edit has replaced is called behind its name.
const BACKUP: &str = "bak";
/// Blocks of IoStore containers, and signatures.
const PARTS_OF_CONTAINERS: [&str; 2] = ["ucas", "sig"];
/// What files of other kinds are called, which stand beside packages in numbers: none of them is opened to see that
/// it is no package, which over a network takes longer than all else. No game calls its packages so.
const OTHER_KINDS: [&str; 44] = [
    "png", "jpg", "jpeg", "bmp", "tga", "dds", "psd", "gif", "webp", "svg", "ico", "exr", "hdr",
    "wav", "ogg", "mp3", "flac", "mp4", "bk2", "fbx", "obj", "blend", "txt", "md", "ini", "json",
    "xml", "csv", "tsv", "html", "log", "yml", "yaml", "toml", "uproject", "uplugin", "usmap",
    "cpp", "h", "cs", "py", "zip", "7z", "gz",
];

/// Whether a file is passed over for its name: it is read together with a package or a container, called like a file
/// of another kind, or the `.bak` of a file that `is_there`.
pub(super) fn is_by_name(file: &Path, is_there: impl Fn(&Path) -> bool) -> bool {
    let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let ends = |known: &str| end.eq_ignore_ascii_case(known);
    ends(BACKUP) && is_there(&file.with_extension(""))
        || PARTS_OF_CONTAINERS.into_iter().any(ends)
        || OTHER_KINDS.into_iter().any(ends)
        || CompanionKind::is_of_a_package(file)
}
