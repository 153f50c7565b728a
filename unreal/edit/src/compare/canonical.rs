//! A package as text that is the same for packages that say the same.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::properties::{ComparedProperty, has_parts, items, says_all};
use super::records::records_of;
use super::side::settled;
use super::{Side, attribute, header, whole_names};
use crate::decompile::Decompiler;
use crate::inspect::{CodeTexts, ReferenceTexts};
use crate::object::Native;
use crate::package::Package;
use crate::primitive::PackageIndex;

/// Bytes whose text would say nothing: their number, and this much of their hash.
pub(super) const HASH: usize = 16;

/// Writes a package as text that is made for being compared line by line: paths instead of rows, one value a line,
/// objects in the order of their paths, code as source. Two packages that [`diff`] finds no difference between have
/// the same text, apart from imports that nothing uses; what is not decoded is there with its hash, and so are all
/// names together.
///
/// What follows from something else is left out: places, sizes, counts, how tables are ordered. Each object is handed on as soon as it is written, so that what is in memory is bounded by the tables and
/// the largest object.
///
/// ```
/// use unreal_packages::compare::canonical;
/// use unreal_packages::generate::Builder;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let package = unreal_packages::Package::from_bytes(Builder::new(69).build()?)?;
/// let mut text = String::new();
/// canonical(&package, |part| {
///     text.push_str(part);
///     Ok::<_, unreal_packages::Error>(())
/// })?;
/// assert!(text.starts_with("package\n  guid = "));
/// # Ok(())
/// # }
/// ```
///
/// [`diff`]: super::diff
///
/// # Errors
/// The error of `each`, which ends it.
pub fn canonical<E>(
    package: &Package,
    mut each: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let package = settled(package);
    let side = Side::new(&package);
    each(&header::canonical(&side))?;
    let decompiler = Decompiler::new(&package);
    let code = CodeTexts::new(&package);
    let paths = (0..package.exports().len()).map(|row| package.path(PackageIndex::export(row)));
    let mut order: Vec<(String, usize)> = paths.zip(0..).collect();
    order.sort_by_cached_key(|(path, row)| (path.to_ascii_lowercase(), *row));
    for (path, row) in order {
        each(&object(&side, &decompiler, &code, &path, row))?;
    }
    Ok(())
}

/// Lines of an object: what its row says, its properties, what its class stores, its code.
fn object(
    side: &Side<'_>,
    decompiler: &Decompiler,
    code: &CodeTexts<'_>,
    path: &str,
    row: usize,
) -> String {
    let mut out = String::new();
    let _ =
        writeln!(out, "object {} ({})", one_line(path), one_line(&side.package.class_path(row)));
    for (field, text) in attribute::texts(side, row).chain(header::texts_of(side, row)) {
        line(&mut out, &field, &text);
    }
    let decoded = side.decoded(row).filter(|decoded| !decoded.body.is_opaque());
    let Some(mut body) = decoded.map(|decoded| decoded.body) else {
        let bytes = side.package.body(row).unwrap_or_default();
        if !bytes.is_empty() {
            line(&mut out, "body", &bytes_text(bytes));
        }
        return out;
    };
    for (field, text) in whole_names::texts(side, &mut body) {
        line(&mut out, &field, &text);
    }
    for item in items(side, row, &mut body) {
        property(side, item, &mut out);
    }
    let lines = match body.native.code().map(|script| code.lines(script)) {
        Some(Ok(lines)) => lines,
        _ => String::new(),
    };
    if let Native::Script(object) = &mut body.native
        && let Some(structure) = object.structure_mut()
        && !lines.is_empty()
    {
        structure.script.items = Vec::new();
    }
    for (field, text) in records_of(side, &mut body).texts(|_| false) {
        line(&mut out, &field, &text);
    }
    // Source reads better; that nothing is hidden in it says the hash of what the bytecode says.
    let source = decompiler.function(row).unwrap_or_default();
    // A function that claims to have no code is a declaration there.
    let has_code = source.trim_end().ends_with('}');
    if !lines.is_empty() {
        line(&mut out, "code", &hash(lines.as_bytes()));
    }
    let shown = if has_code { source } else { numbered(&lines) };
    for shown in shown.lines() {
        let _ = writeln!(out, "    {}", one_line(shown));
    }
    out
}

/// A property in a line; lists, sets and maps with a line for each value in them.
fn property(side: &Side<'_>, item: ComparedProperty, out: &mut String) {
    let (known, tag) = (item.known, item.tag);
    let kind = format!("{}{}{tag}", known.property_type, if tag.is_empty() { "" } else { " " });
    let path = format!("{}: {kind}", known.path);
    let is_list = has_parts(&known.value);
    if !is_list {
        line(out, &path, &known.text);
        if says_all(&known.value) {
            return;
        }
    }
    let Some(mut value) = known.value else { return };
    let texts: Vec<_> = records_of(side, &mut value).texts(|_| false).collect();
    if is_list && texts.is_empty() {
        return line(out, &path, "()");
    }
    if is_list {
        let _ = writeln!(out, "  {}", one_line(&path));
    }
    for (field, text) in texts {
        // Most of what tags say is nothing.
        if field.contains("tag.") && is_nothing(&text) {
            continue;
        }
        let dot = if field.starts_with('[') || field.is_empty() { "" } else { "." };
        line(out, &format!("  {}{dot}{field}", known.path), &text);
    }
}

pub(super) fn line(out: &mut String, field: &str, text: &str) {
    let space = if text.is_empty() { "" } else { " " };
    let _ = writeln!(out, "  {} ={space}{}", one_line(field), one_line(text));
}

/// Whether a text is that of zeros.
pub(super) fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "0" | "null" | "None")
        || text.len() == 32 && text.bytes().all(|byte| byte == b'0')
}

/// Code whose labels are counted instead of being called by their place, so that what stands before a label does not
/// change it.
fn numbered(lines: &str) -> String {
    let label = |line: &str| Some(line.trim().strip_suffix(':')?.to_owned());
    let labels: HashMap<String, usize> = lines.lines().filter_map(label).zip(1..).collect();
    let mut out = String::with_capacity(lines.len());
    let (mut word, mut quote, mut is_escaped) = (String::new(), None, false);
    let end_word = |word: &mut String, out: &mut String| {
        match labels.get(word.as_str()) {
            Some(number) => out.extend(["L".to_owned(), number.to_string()]),
            None => out.push_str(word),
        }
        word.clear();
    };
    for c in lines.chars() {
        if quote.is_none() && (c.is_ascii_alphanumeric() || c == '_') {
            word.push(c);
            continue;
        }
        end_word(&mut word, &mut out);
        quote = match quote {
            None if matches!(c, '"' | '\'') => Some(c),
            Some(open) if c == open && !is_escaped => None,
            quote => quote,
        };
        is_escaped = c == '\\' && !is_escaped;
        out.push(c);
    }
    end_word(&mut word, &mut out);
    out
}

/// Bytes by their number and hash.
pub(super) fn bytes_text(bytes: &[u8]) -> String {
    format!("{} bytes, {}", bytes.len(), hash(bytes))
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..HASH].to_owned()
}

/// A text without line ends and other control characters.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}
