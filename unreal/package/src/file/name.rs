//! Names for files that are safe on every system.

/// Bytes that every system takes as one part of a path.
const LONGEST_PART: usize = 100;

/// Names that Windows gives to devices, whatever their extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Folders of version control, which stand at the top of a project: programs run what their settings name.
pub const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", ".pijul"];

/// The list by which scans know the tables that they have written.
#[doc(hidden)]
pub const SCAN_MANIFEST: &str = ".scan-manifest";
/// The list of files that scans have opened and that are no packages, in the folder of tables.
#[doc(hidden)]
pub const SCAN_OTHERS: &str = ".scan-others";

/// A name for a file or folder made from any text, without what some system forbids: `Con` becomes `Con_`,
/// `a:b` becomes `a_b`. Different texts may get the same name.
pub fn safe_file_name(text: &str) -> String {
    let keep =
        |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' ' | '(' | ')' | '+');
    let mut name: String =
        text.chars().map(|char| if keep(char) { char } else { '_' }).take(LONGEST_PART).collect();
    // The length that counts is in bytes.
    while name.len() > 2 * LONGEST_PART {
        name.pop();
    }
    let trimmed = name.trim().len();
    if trimmed != name.len() || name.is_empty() {
        name = format!("{}_", name.trim());
    } else if is_device(&name) {
        name.push('_');
    }
    name
}

/// Why a file name that came with the data, extension and all, must not be used; `None` for a good one.
pub fn file_name_fault(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or_default();
    if matches!(name, "" | "." | "..") {
        Some("it is empty or names a folder")
    } else if name.contains(['/', '\\', ':', '<', '>', '"', '|', '?', '*']) {
        Some("it has characters that lead elsewhere or that some system forbids")
    } else if name.chars().any(char::is_control) {
        Some("it has control characters")
    } else if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        Some("some systems drop spaces and dots at its ends")
    } else if is_device(stem.trim_end()) {
        Some("it names a device on Windows")
    } else if acts_by_itself(name) {
        Some("git, other programs or the tools of this library act on files of this name")
    } else if name.len() > 255 {
        Some("it is longer than systems allow")
    } else {
        None
    }
}

/// Whether a file or folder of this name changes what programs do that come across it: the folders of version
/// control (whose settings name commands), the settings and journals of this library and its lists of what it may
/// remove. Other spellings count that some system takes for the same: case, trailing dots and spaces, streams, short
/// names, invisible characters.
pub fn acts_by_itself(name: &str) -> bool {
    let name: String = name.chars().filter(|char| !is_invisible(*char)).collect();
    let name = name.split(':').next().unwrap_or_default().to_lowercase();
    let name = name.trim_end_matches(['.', ' ']);
    let short = |stem: &str, end: &str| {
        let Some((before, number)) = name.split_once('~') else { return false };
        let digits = number.strip_suffix(end);
        let is_stem = before == stem || (stem.ends_with('-') && before.starts_with(stem));
        is_stem
            && digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    };
    VERSION_CONTROL
        .iter()
        .any(|folder| name == *folder || short(folder.trim_start_matches('.'), ""))
        || matches!(name, "upk.toml" | SCAN_MANIFEST | SCAN_OTHERS)
        || name.starts_with(".upk-")
        || short("upk", ".tom")
        || short("upk-", "")
        || short("scan-m", "")
        || short("scan-o", "")
}

/// Characters that some file systems leave out of names.
pub fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn is_device(stem: &str) -> bool {
    let lower = stem.to_lowercase();
    let numbered = |device: &str| {
        let Some(rest) = lower.strip_prefix(device) else { return false };
        let mut digits = rest.chars();
        // Windows takes the superscripts for digits.
        matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
    };
    DEVICES.contains(&lower.as_str()) || numbered("com") || numbered("lpt")
}
