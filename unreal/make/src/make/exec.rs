//! Lines that import content: `#exec TEXTURE IMPORT FILE=Skin.pcx NAME=Skin GROUP=Skins`.
//!
//! Spec: ue1-3/16 §16.9.

use crate::compile::syntax::{Syntax, SyntaxItem};
use crate::compile::{Diagnostic, DiagnosticKind};
use crate::content::{Image, NewTexture, NewTextures, SoundEdits};
use crate::edit::PackageEdit;
use crate::error::{Error, Result};
use crate::generate::create;
use crate::package::Package;

use super::maker::Maker;

/// Keys whose value names what a line makes or changes.
const NAMES: [&str; 4] = ["NAME", "MESH", "MESHMAP", "ANIM"];

/// A line that begins with `#exec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExecLine {
    /// Its words without a value, in capitals.
    verb: String,
    /// Keys in capitals, and their values.
    values: Vec<(String, String)>,
    /// Its bytes in the text.
    place: (usize, usize),
}

impl ExecLine {
    /// Those of a text.
    pub fn all(syntax: &Syntax) -> Vec<Self> {
        let line = |item: &SyntaxItem| {
            let SyntaxItem::Directive(line) = item else { return None };
            let place = (line.start, line.start + line.text.len());
            let word = line.text.split_whitespace().next()?;
            let rest = line.text.get(word.len()..)?;
            word.eq_ignore_ascii_case("#exec").then(|| Self::of(rest, place))
        };
        syntax.items.iter().filter_map(line).collect()
    }

    fn of(text: &str, place: (usize, usize)) -> Self {
        let (mut verbs, mut values) = (Vec::new(), Vec::new());
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let end = rest.find(|it: char| it.is_whitespace() || it == '=').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            let Some(value) = behind.trim_start().strip_prefix('=') else {
                verbs.push(word.to_ascii_uppercase());
                rest = behind.trim_start();
                continue;
            };
            let value = value.trim_start();
            let (value, behind) = match value.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            values.push((word.to_ascii_uppercase(), value.to_owned()));
            rest = behind.trim_start();
        }
        Self { verb: verbs.join(" "), values, place }
    }

    /// Its words without a value, in capitals.
    pub fn verb(&self) -> &str {
        &self.verb
    }

    /// The value of a key in capitals.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The name of what it makes or changes.
    pub fn name(&self) -> Option<String> {
        let named = NAMES.iter().find_map(|key| self.value(key)).map(str::to_owned);
        named.or_else(|| Some(stem(self.value("FILE")?).to_owned()))
    }

    /// The path of what it makes: its group and its name.
    fn path(&self) -> Option<String> {
        let name = self.name()?;
        Some(match self.value("GROUP") {
            Some(group) => format!("{group}.{name}"),
            None => name,
        })
    }

    /// Whether it only loads another package.
    pub fn is_load(&self) -> bool {
        self.verb == "OBJ LOAD"
    }

    /// A warning about it.
    pub fn warning(&self, syntax: &Syntax, message: String, hint: Option<String>) -> Diagnostic {
        let kind = DiagnosticKind::Unsupported;
        Diagnostic::error(&syntax.source, kind, self.place, message).as_warning().with_hint(hint)
    }
}

/// A file's name without its extension, as lines write paths.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl Maker {
    /// Carries out the `#exec` lines of the sources so far: textures, sounds and music come from their files, objects
    /// of other packages by `OBJ LOAD`. `read` gives the bytes of a file as the lines write its path. What it returns
    /// are the paths of what was imported; what was not is a warning when the package is made.
    ///
    /// # Errors
    /// What the package of content can't be made for.
    pub fn import(&mut self, mut read: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Vec<String>> {
        let mut content = create(&self.profile)?;
        let mut imported = Vec::new();
        let mut problems = Vec::new();
        let sources = self.sources.clone();
        let lines: Vec<_> = sources.iter().map(|source| ExecLine::all(&source.syntax)).collect();
        let all = lines.concat();
        // Meshes come behind the textures that they show.
        let is_mesh = |line: &&ExecLine| line.verb == "MESH IMPORT";
        for meshes in [false, true] {
            let of_source = sources.iter().zip(&lines);
            let chosen =
                of_source.flat_map(|(source, lines)| lines.iter().map(move |it| (source, it)));
            for (source, line) in chosen.filter(|(_, line)| is_mesh(line) == meshes) {
                let done = match meshes {
                    true => self.import_mesh(line, &all, &mut content, &mut read),
                    false => self.carry_out(line, &mut content, &mut read),
                };
                match done {
                    Ok(Some(path)) => imported.push(path),
                    Ok(None) => {}
                    Err(error) => {
                        let hint = "--content takes it from an older package".to_owned();
                        let warning = line.warning(&source.syntax, error.to_string(), Some(hint));
                        problems.push((line.name(), warning));
                    }
                }
            }
        }
        if !content.exports().is_empty() {
            self.content(content);
        }
        self.import_problems.extend(problems);
        Ok(imported)
    }

    fn carry_out(
        &mut self,
        line: &ExecLine,
        content: &mut Package,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Option<String>> {
        let known = ["TEXTURE IMPORT", "AUDIO IMPORT", "SOUND IMPORT", "MUSIC IMPORT", "OBJ LOAD"];
        let (Some(file), Some(path)) = (line.value("FILE"), line.path()) else { return Ok(None) };
        if !known.contains(&line.verb.as_str()) {
            return Ok(None);
        }
        let Some(bytes) = read(file) else {
            return Err(Error::invalid(format!("there is no file '{file}'")));
        };
        match line.verb.as_str() {
            "TEXTURE IMPORT" => {
                let image = Image::read(&bytes)?;
                let is = |key: &str, word: &str| {
                    line.value(key).is_some_and(|it| it.eq_ignore_ascii_case(word))
                };
                let flags = line.value("FLAGS").and_then(|it| it.parse::<u32>().ok());
                let new = NewTexture {
                    without_mips: is("MIPS", "off") || is("MIPS", "0"),
                    // Where nothing is said, colour 0 is a colour as others.
                    masked: Some(flags.unwrap_or(0) & 2 != 0),
                    ..NewTexture::default()
                };
                content.edit(|edit| edit.add_texture(&path, &image, &new))?;
            }
            "MUSIC IMPORT" => drop(content.edit(|edit| edit.add_music(&path, &bytes))?),
            "OBJ LOAD" => {
                let package = Package::from_bytes(bytes)?;
                match line.value("PACKAGE") {
                    Some(into) if into.eq_ignore_ascii_case(&self.name) => {
                        return Ok(self.content(package).then(|| file.to_owned()));
                    }
                    _ => self.environment(stem(file), &package)?,
                }
                return Ok(None);
            }
            _ => drop(content.edit(|edit| edit.add_sound(&path, &bytes))?),
        }
        Ok(Some(path))
    }
}
