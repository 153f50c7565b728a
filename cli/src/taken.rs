//! The one table of names that the outputs of a run have taken.
//!
//! Names come from inside of files and may be anything. Each file gets its own name where every system can have
//! it, else a free one that is safe, with the same extension; the caller says both. Names that lead out of the
//! folder, or that make programs act (`.git`), are refused.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unreal_packages::file::{acts_by_itself, file_name_fault, is_invisible, safe_file_name};

/// Bytes that every system takes as one part of a path.
const LONGEST: usize = 255;
/// Bytes of what counts as an extension, which a name that is cut keeps.
const LONGEST_EXTENSION: usize = 32;

/// Why a path gets no file at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// There is nothing in it.
    Empty,
    /// It leads out of the folder.
    LeadsOut,
    /// Programs act on it.
    Acts,
}

impl Refused {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Empty => "the path is empty or names a folder",
            Self::LeadsOut => "the path leads out of the folder",
            Self::Acts => "git, other programs or upk itself act on files of this name",
        }
    }
}

/// A folder of taken names; the root is the folder that is written to.
#[derive(Debug, Default)]
pub struct TakenNames {
    /// Files and folders as systems compare them.
    taken: HashSet<String>,
    /// Folders by the name that they were asked for by, with the name that they have.
    folders: HashMap<String, (String, Self)>,
}

/// A name as systems compare names: some ignore case, some the composition of letters, some invisible characters.
fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let visible = name.chars().filter(|char| !is_invisible(*char));
    let upper = visible.flat_map(char::to_uppercase).collect::<String>();
    upper.to_lowercase().nfd().collect()
}

impl TakenNames {
    /// A place for each of these paths, in their order. What can have its own name has it: a folder before a
    /// file, then the first of several.
    pub fn plan<'a>(
        &mut self,
        paths: impl Iterator<Item = &'a str> + Clone,
    ) -> Vec<Result<String, Refused>> {
        let split =
            |path: &'a str| parts(path).map(|mut parts| (parts.pop().unwrap_or_default(), parts));
        for (_, folders) in paths.clone().flat_map(split) {
            self.own_folders(&folders);
        }
        let mut places: Vec<Option<Result<String, Refused>>> = Vec::new();
        for path in paths.clone() {
            places.push(match split(path) {
                Ok((name, folders)) => self.own_file(&folders, name).map(Ok),
                Err(refused) => Some(Err(refused)),
            });
        }
        let others = paths.zip(places).map(|(path, place)| match place {
            Some(place) => place,
            None => self.take(path),
        });
        others.collect()
    }

    /// A place for a path: its own, or a free one.
    pub fn take(&mut self, path: &str) -> Result<String, Refused> {
        let mut parts = parts(path)?;
        let name = parts.pop().unwrap_or_default();
        let mut place = String::new();
        let mut folder = self;
        for part in parts {
            let (own, inner) = folder.folder(part);
            place.push_str(own);
            place.push('/');
            folder = inner;
        }
        place.push_str(&folder.free(name));
        Ok(place)
    }

    /// Takes folders under their own names, as far as they can have these.
    fn own_folders(&mut self, parts: &[&str]) {
        let mut folder = self;
        for part in parts {
            if file_name_fault(part).is_some() {
                return;
            }
            folder = folder.folder(part).1;
        }
    }

    /// Takes a file under its own name; none where it can't have that.
    fn own_file(&mut self, parts: &[&str], name: &str) -> Option<String> {
        let mut folder = self;
        for part in parts {
            let (own, inner) = folder.folders.get_mut(&folded(part))?;
            if own != part {
                return None;
            }
            folder = inner;
        }
        if file_name_fault(name).is_some() || !folder.taken.insert(folded(name)) {
            return None;
        }
        Some(parts.iter().chain([&name]).copied().collect::<Vec<_>>().join("/"))
    }

    /// The folder of this name: one that was asked for in another case is the same.
    fn folder(&mut self, name: &str) -> (&str, &mut Self) {
        let key = folded(name);
        if !self.folders.contains_key(&key) {
            let own = self.free(name);
            self.folders.insert(key.clone(), (own, Self::default()));
        }
        let (own, inner) = self.folders.entry(key).or_default();
        (own, inner)
    }

    /// Takes this name, or the next that is safe and free: `Rough.png`, `Rough~2.png`.
    fn free(&mut self, name: &str) -> String {
        let safe = safe(name);
        let (stem, extension) = split_extension(&safe);
        let mut number = 1_u64;
        loop {
            let suffix = if number == 1 { String::new() } else { format!("~{number}") };
            let stem = cut(stem, LONGEST.saturating_sub(1 + suffix.len() + extension.len()));
            let mut name = format!("{stem}{suffix}{extension}");
            if acts_by_itself(&name) {
                name.insert(0, '_');
            }
            if self.taken.insert(folded(&name)) {
                return name;
            }
            number += 1;
        }
    }
}

/// The parts of a path. Empty ones and `.` lead nowhere; a drive is a name like any other.
fn parts(path: &str) -> Result<Vec<&str>, Refused> {
    if path.is_empty() || path.ends_with(['/', '\\']) {
        return Err(Refused::Empty);
    }
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            ".." => return Err(Refused::LeadsOut),
            "" | "." => {}
            part if acts_by_itself(part) => return Err(Refused::Acts),
            part => parts.push(part),
        }
    }
    if parts.is_empty() { Err(Refused::Empty) } else { Ok(parts) }
}

/// A name that every system can have, which keeps its extension.
fn safe(name: &str) -> String {
    if file_name_fault(name).is_none() {
        return name.to_owned();
    }
    let is_bad = |char: char| {
        char.is_control() || matches!(char, '/' | '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*')
    };
    let mut safe: String = name.chars().map(|char| if is_bad(char) { '_' } else { char }).collect();
    if safe.starts_with(' ') {
        safe.replace_range(..1, "_");
    }
    if safe.ends_with(['.', ' ']) {
        safe.pop();
        safe.push('_');
    }
    // A device is one whatever its extension.
    let (stem, rest) = safe.split_at(safe.find('.').unwrap_or(safe.len()));
    if file_name_fault(stem.trim_end()).is_some() && !stem.is_empty() {
        safe = format!("{}_{rest}", stem.trim_end());
    }
    let (stem, extension) = split_extension(&safe);
    let safe = format!("{}{extension}", cut(stem, LONGEST - extension.len()));
    match file_name_fault(&safe) {
        None => safe,
        Some(_) => safe_file_name(name),
    }
}

/// The name before its extension, and that with its dot.
fn split_extension(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 && name.len() - at <= LONGEST_EXTENSION => name.split_at(at),
        _ => (name, ""),
    }
}

/// At most so many bytes of a text.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(paths: &[&str]) -> Vec<Result<String, Refused>> {
        TakenNames::default().plan(paths.iter().copied())
    }

    #[track_caller]
    fn places(rows: &[(&str, &str)]) {
        let paths: Vec<_> = rows.iter().map(|(path, _)| *path).collect();
        let found: Vec<_> = plan(&paths).into_iter().map(Result::unwrap).collect();
        let wanted: Vec<_> = rows.iter().map(|(_, place)| *place).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn what_can_have_its_own_name_has_it() {
        places(&[("a:b.ini", "a_b~2.ini"), ("a?b.ini", "a_b~3.ini"), ("a_b.ini", "a_b.ini")]);
        places(&[("x/A.txt", "x/A.txt"), ("x/a.TXT", "x/a~3.TXT"), ("x/a~2.txt", "x/a~2.txt")]);
        places(&[("a.b", "a~2.b"), ("a.b/c", "a.b/c"), ("A.B/C", "a.b/C~2")]);
        places(&[
            ("e\u{301}.x", "e\u{301}.x"),
            ("\u{e9}.x", "\u{e9}~2.x"),
            ("same", "same"),
            ("same", "same~2"),
        ]);
        places(&[("Maps/a", "Maps/a"), ("maps/b", "Maps/b")]);
        places(&[("git", "git"), ("GIT", "_GIT~2")]);
        places(&[("m:x/c", "m_x~2/c"), ("m_x/c", "m_x/c")]);
    }

    #[test]
    fn names_are_safe_and_keep_their_extension() {
        for (name, place) in [
            ("CON", "CON_"),
            ("nul.uasset", "nul_.uasset"),
            ("Com1.x.y", "Com1_.x.y"),
            (" a", "_a"),
            ("a. ", "a._"),
            ("a..", "a._"),
            ("a\tb\u{7f}.ini", "a_b_.ini"),
            ("<|>\"*.png", "_____.png"),
            ("a//./b", "a/b"),
            ("a\\b", "a/b"),
            ("/etc/x", "etc/x"),
            ("C:\\x", "C_/x"),
            ("...", ".._"),
        ] {
            assert_eq!(plan(&[name]), [Ok(place.to_owned())], "{name:?}");
        }
        let long = format!("{}.uasset", "ß".repeat(300));
        let [Ok(first), Ok(second)] = &plan(&[&long, &long])[..] else { panic!() };
        assert!(first.len() <= LONGEST && second.len() <= LONGEST);
        assert!(first.ends_with("ß.uasset") && second.ends_with("ß~2.uasset"), "{first} {second}");
    }

    #[test]
    fn what_leads_out_or_acts_is_refused() {
        for path in ["", "/", "a/", "./", ".", "//."] {
            assert_eq!(plan(&[path]), [Err(Refused::Empty)], "{path:?}");
        }
        for path in ["..", "a/../b", "/../x", "C:\\..\\x"] {
            assert_eq!(plan(&[path]), [Err(Refused::LeadsOut)], "{path:?}");
        }
        for path in [
            ".git/config",
            "a/.GIT/config",
            ".git ",
            ".git./x",
            ".g\u{200c}it/x",
            "GIT~1/config",
            ".git::$INDEX_ALLOCATION/x",
            ".hg/hgrc",
            "x/.svn",
            ".jj/repo/config.toml",
            "JJ~1/x",
            ".bzr/branch/branch.conf",
            "_Darcs/prefs/defaults",
            ".pijul/config",
            "depot/.scan-manifest",
            ".Scan-Manifest.",
            "SCAN-M~1",
            ".scan-others",
            "SCAN-O~1",
            "upk.toml",
            "a/UPK.TOML",
            "UPK~1.TOM",
            ".upk-1-x.journal",
            "a/.UPK-lock",
            ".git:x",
            "upk.toml. ",
        ] {
            assert_eq!(plan(&[path]), [Err(Refused::Acts)], "{path:?}");
        }
        for path in [
            ".gitignore",
            "git",
            "upk.tomlx",
            "a.git",
            "upk~2.png",
            "~git",
            "darcs",
            "scan-manifest",
        ] {
            assert_eq!(plan(&[path]), [Ok(path.to_owned())], "{path:?}");
        }
    }
}
