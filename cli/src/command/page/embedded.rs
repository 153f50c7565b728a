//! Packages that stand within the page.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use bytes::Bytes;
use unreal_packages::container::Containers;
use unreal_packages::package::CompanionKind;
use unreal_packages::{EngineRelease, Error, Game};

use super::address::Address;
use crate::failure::Failure;
use crate::output::{count, grouped};
use crate::{files, input};

/// Bytes of packages that one page holds.
const MOST: u64 = 64 << 20;
/// What stands before the module in the page: packages go before it, so that they are there when the page begins.
const MODULE: &str = "<script type=\"text/plain\" id=\"module\">";

/// One file within the page.
#[derive(Debug)]
struct Part {
    /// What the page calls it: names alone, or the path below the folder that was named. The page names no
    /// other folder.
    path: String,
    file: PathBuf,
}

/// The files, in the order in which they stand there; their bytes are read when they are written, one after the other.
#[derive(Debug)]
pub struct Embedded {
    parts: Vec<Part>,
    /// What the page calls the package that was named last.
    last: String,
}

impl Embedded {
    /// The packages that paths mean, each with its companions, and mappings for all of them.
    pub fn collect(paths: &[PathBuf], mappings: Option<&Path>) -> Result<Self, Failure> {
        if paths.iter().any(|path| input::is_standard(path)) {
            let next = "name a file: the page calls it by its name";
            return Err(Failure::usage(format!("standard input has no name\n  next: {next}")));
        }
        let found = files::collect(paths)?;
        if let Some((path, reason)) = found.unlisted.first() {
            return Err(Failure::usage(format!("{}: {reason}", path.display())));
        }
        let (mut taken, mut shown) = (BTreeMap::new(), String::new());
        let last = paths.last();
        let mut parts = Vec::new();
        for file in found.files.into_keys() {
            let path = free(&path_in_page(&file, paths), &mut taken);
            if Some(&file) == last {
                shown.clone_from(&path);
            }
            for companion in companions(&file) {
                let end = CompanionKind::path_beside(companion, Path::new(&path));
                let path = end.to_string_lossy().into_owned();
                parts.push(Part { path, file: companion.path_beside(&file) });
            }
            parts.push(Part { path, file });
        }
        if !paths.is_empty() && parts.is_empty() {
            return Err(Failure::usage(
                "there are no packages\n  next: name packages, or a folder of them",
            ));
        }
        if let Some(file) = mappings {
            parts.push(Part { path: name_of(file), file: file.to_owned() });
        }
        let embedded = Self { parts, last: shown };
        let sizes = embedded.parts.iter().filter_map(|part| part.file.metadata().ok());
        check(sizes.map(|it| it.len()).fold(0, u64::saturating_add))?;
        Ok(embedded)
    }

    /// What the page calls the package that was named last.
    pub fn last(&self) -> &str {
        &self.last
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The page with them, where it opens, and how packages are read; how many bytes were written.
    pub fn write(
        &self,
        page: &[u8],
        address: Option<&Address>,
        reading: &str,
        to: &mut dyn Write,
    ) -> unreal_packages::Result<u64> {
        let mut to = Counting { to, bytes: 0 };
        let path = Path::new("the page");
        let failed = |error| Error::io(path, error);
        let at = position(page, MODULE.as_bytes())
            .ok_or_else(|| failed(io::Error::other("it is none that web/build has made")))?;
        to.write_all(page.get(..at).unwrap_or_default()).map_err(failed)?;
        if let Some(address) = address {
            writeln!(to, "<meta name=\"farchive-place\" content=\"{address}\">").map_err(failed)?;
        }
        if !reading.is_empty() {
            let reading = attribute(reading);
            writeln!(to, "<meta name=\"farchive-reading\" content=\"{reading}\">")
                .map_err(failed)?;
        }
        let mut all = 0;
        for part in &self.parts {
            let (bytes, _) = input::read(&part.file)?;
            all = u64::saturating_add(all, bytes.len() as u64);
            if all > MOST {
                return Err(failed(io::Error::other(too_many(all))));
            }
            part.write(&bytes, &mut to).map_err(failed)?;
        }
        to.write_all(page.get(at..).unwrap_or_default()).map_err(failed)?;
        Ok(to.bytes)
    }
}

impl Part {
    /// Its element: a script of a type that no browser runs, and text in which no `<` is.
    fn write(&self, bytes: &Bytes, to: &mut impl Write) -> io::Result<()> {
        let path = attribute(&self.path);
        write!(to, "<script type=\"application/octet-stream\" data-path=\"{path}\">")?;
        let mut encoder = EncoderWriter::new(&mut *to, &STANDARD);
        encoder.write_all(bytes)?;
        encoder.finish()?;
        drop(encoder);
        to.write_all(b"</script>\n")
    }
}

/// How packages are read where their owner says so: a game, a release.
pub fn reading(game: Game, release: Option<EngineRelease>) -> String {
    let game = if game == Game::Detect { "" } else { game.slug() };
    match (game, release) {
        ("", None) => String::new(),
        (game, release) => {
            format!("{game}/{}", release.map(|it| it.to_string()).unwrap_or_default())
        }
    }
}

/// Kinds of companions that stand beside a package.
fn companions(file: &Path) -> Vec<CompanionKind> {
    if !CompanionKind::may_have_bodies(file) {
        return Vec::new();
    }
    let is_there = |kind: &CompanionKind| {
        let beside = kind.path_beside(file);
        match Containers::split(&beside) {
            Some(_) => input::read(&beside).is_ok(),
            None => beside.is_file(),
        }
    };
    CompanionKind::ALL.into_iter().filter(is_there).collect()
}

/// The path below the folder that was named, that folder first; else the name.
fn path_in_page(file: &Path, paths: &[PathBuf]) -> String {
    let below = |folder: &PathBuf| {
        let inside = file.strip_prefix(folder).ok().filter(|it| *it != Path::new(""))?;
        let full = dunce::canonicalize(folder).ok();
        let name = full.as_deref().and_then(Path::file_name).or(folder.file_name())?;
        let parts = std::iter::once(name).chain(inside.iter());
        let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
        Some(parts.join("/"))
    };
    paths.iter().find_map(below).unwrap_or_else(|| name_of(file))
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A path that no other package has, its ending aside, since companions have it too: in a folder of a number where one
/// has it.
fn free(path: &str, taken: &mut BTreeMap<String, u64>) -> String {
    let stem = |path: &str| Path::new(path).with_extension("").to_string_lossy().to_lowercase();
    let known = stem(path);
    let mut number = taken.get(&known).copied().unwrap_or_default();
    let free = loop {
        number += 1;
        let free = if number == 1 { path.to_owned() } else { format!("{number}/{path}") };
        if number == 1 || !taken.contains_key(&stem(&free)) {
            break free;
        }
    };
    taken.insert(stem(&free), 1);
    taken.insert(known, number);
    free
}

/// Text within the quotes of an attribute.
fn attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn check(bytes: u64) -> Result<(), Failure> {
    match bytes > MOST {
        true => Err(Failure::usage(format!(
            "{}\n  next: write the page without them (`upk page -o page.html`), and drop them on it",
            too_many(bytes)
        ))),
        false => Ok(()),
    }
}

fn too_many(bytes: u64) -> String {
    let most = grouped(MOST);
    let given = count(bytes, "byte", "bytes");
    format!("the packages have {given}: a page holds at most {most}")
}

fn position(page: &[u8], of: &[u8]) -> Option<usize> {
    page.windows(of.len()).position(|window| window == of)
}

/// Counts what is written.
struct Counting<'a> {
    to: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes = self.bytes.saturating_add(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_their_attribute() {
        let part = Part { path: "a\"></script><b>&.u".to_owned(), file: PathBuf::new() };
        let mut text = Vec::new();
        part.write(&Bytes::from_static(b"\xff\xfe"), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(
            text,
            "<script type=\"application/octet-stream\" \
             data-path=\"a&quot;&gt;&lt;/script&gt;&lt;b&gt;&amp;.u\">//4=</script>\n"
        );
    }

    #[test]
    fn files_of_one_name_are_in_folders_of_their_own() {
        let mut taken = BTreeMap::new();
        let names = ["A.u", "a.U", "A.umap", "B.u"].map(|name| free(name, &mut taken));
        assert_eq!(names, ["A.u", "2/a.U", "3/A.umap", "B.u"]);
    }

    #[test]
    fn too_much_is_refused_in_words() {
        assert!(check(MOST).is_ok());
        let (message, next) = check(MOST + 1).unwrap_err().parts();
        assert!(message.contains("67,108,865 bytes: a page holds at most 67,108,864"), "{message}");
        assert!(next.unwrap().contains("drop them on it"));
    }
}
