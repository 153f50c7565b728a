//! Addresses of files (RFC 8089).

use std::path::{Path, PathBuf};

use lsp_types::Uri;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// What stands for itself in the path of an address but has a meaning in one, or may not stand there.
const ESCAPED: AsciiSet = CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The file that an address names; `None` of one that is no file on this machine.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    if !path.starts_with('/') {
        return None;
    }
    if !cfg!(windows) {
        return Some(PathBuf::from(path.as_ref()));
    }
    // `/C:/Games` is a path with a drive. Names of files are compared with those of a folder's listing.
    let drive = path.get(1..).filter(|it| it.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&path).replace('/', "\\")))
}

/// The address of a file by its whole path.
pub fn of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&text, &ESCAPED)).parse().ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{of, path};

    #[cfg(unix)]
    #[test]
    fn files_have_addresses_and_back() {
        for file in ["/home/A B/Mod#1/Cl\u{e4}ss%20.uc", "/a/[x]^{y}|`.uc", "/a?b.uc"] {
            let address = of(Path::new(file)).unwrap();
            assert!(address.as_str().is_ascii(), "{}", address.as_str());
            assert_eq!(path(&address).unwrap(), Path::new(file));
        }
        for other in ["untitled:Untitled-1", "https://example.org/a.uc", "file://server/a.uc"] {
            assert_eq!(path(&other.parse().unwrap()), None);
        }
    }
}
