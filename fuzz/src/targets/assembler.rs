//! Any text as code: it is put into a package that is then saved, opened again and says the same, or there is an
//! error and nothing has changed.

use std::sync::LazyLock;

use unreal_packages::Package;
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::CodeTexts;

use super::is_readable;
use super::operations::{BASES, reopened};
use crate::memory;

/// Packages with code and the text of the code of one object each.
static CODE: LazyLock<Vec<(Package, String)>> = LazyLock::new(|| {
    let text_of = |package: &Package| {
        let texts = CodeTexts::new(package);
        (0..package.exports().len()).find_map(|row| texts.section(row).ok().flatten())
    };
    let with_code = |package: &Package| text_of(package).map(|text| (package.clone(), text));
    BASES.iter().filter_map(with_code).collect()
});

/// The number of a package; a text of its own, or changes of the text that its code has.
pub fn run(data: &[u8]) {
    let Some((&number, rest)) = data.split_first() else { return };
    let (package, own) = &CODE[usize::from(number & 0x7f) % CODE.len()];
    let text = match number & 0x80 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        _ => changed(own, rest),
    };
    let mut package = package.clone();
    let before = package.to_bytes().expect("a base is saved");
    let (done, peak) = memory::peak(|| package.edit(|edit| edit.assemble(&text).map(drop)));
    let most = (64 << 20) + 4096 * text.len();
    assert!(peak <= most, "{peak} bytes of memory for a text of {}", text.len());
    match done {
        Ok(()) => drop(reopened(&package)),
        Err(error) => {
            is_readable(&error);
            let after = package.to_bytes().expect("a package whose edit failed is saved");
            assert!(before == after, "an edit that failed changed the package: {error}");
        }
    }
}

/// Every three bytes are one change: a line that goes, comes twice, changes its place or gets another word.
fn changed(text: &str, changes: &[u8]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for change in changes.chunks_exact(3).take(8) {
        let at = usize::from(change[1]) % lines.len().max(1);
        let other = usize::from(change[2]) % lines.len().max(1);
        match change[0] % 4 {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            _ => {
                let word = lines[other].split_whitespace().next().unwrap_or("@").to_owned();
                let mut words: Vec<&str> = lines[at].split(' ').collect();
                let place = usize::from(change[0] >> 2) % words.len();
                words[place] = &word;
                let line = words.join(" ");
                lines[at] = line;
            }
        }
    }
    lines.join("\n") + "\n"
}
