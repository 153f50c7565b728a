//! A package as text that is the same for packages that say the same.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::elements::elements_of;
use super::properties::{ComparedProperty, has_parts, items, says_all};
use super::records::records_of;
use super::side::settled;
use super::{Side, attribute, header, whole_names};
use crate::decompile::Decompiler;
use crate::inspect::{CodeTexts, PackageValues, ReferenceTexts};
use crate::object::Native;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::Value;

/// Bytes whose text would say nothing: their number, and this much of their hash.
pub(super) const HASH: usize = 16;
/// Elements and types whose text is no longer stand in one line.
const SHORT: usize = 120;

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
    let mut counted = CountedPaths::default();
    for (field, text) in records_of(side, &mut body).texts(|_| false) {
        line(&mut out, &counted.path(&field), &text);
    }
    // Source reads better; that nothing is hidden in it says the hash of what the bytecode says.
    let source = decompiler.function(row).unwrap_or_default();
    // A function that claims to have no code is a declaration there.
    let has_code = source.trim_end().ends_with('}');
    if !lines.is_empty() {
        line(&mut out, "code", &hash(lines.as_bytes()));
    }
    let shown = if has_code { numbered_source(&source) } else { numbered(&lines) };
    for shown in shown.lines() {
        let _ = writeln!(out, "    {}", one_line(shown));
    }
    out
}

/// A property in a line; lists, sets and maps with a line for each value in them, or for each element that is short.
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
    let short = short_elements(side, &value);
    let records = records_of(side, &mut value);
    let is_keyed = records.is_keyed;
    let texts: Vec<_> = records.texts(|_| false).collect();
    if is_list && texts.is_empty() {
        return line(out, &path, "()");
    }
    if is_list {
        let _ = writeln!(out, "  {}", one_line(&path));
    }
    let is_named = matches!(value, Value::StructArray(_));
    let is_type = |field: &str| is_of_tag(field) || is_named && field == "name";
    if let Some(types) = types_text(texts.iter().filter(|(field, _)| is_type(field))) {
        line(out, &format!("  {}: types", known.path), &types);
    }
    let (mut shown, mut slot, mut counted) = (None, None, CountedPaths::default());
    for (field, text) in &texts {
        if is_type(field) {
            // The place in a static array stands in the path of the value behind the tag.
            slot = match field.strip_suffix(".tag.array_index") {
                Some(path) => Some((path, text)).filter(|_| text != "0"),
                None if field.ends_with("tag.type") => None,
                None => slot,
            };
            continue;
        }
        let element = element_number(field).filter(|_| !is_keyed);
        if let Some(number) = element
            && let Some(Some(short)) = short.get(number)
        {
            if shown != element {
                line(
                    out,
                    &format!("  {}{}", known.path, counted.path(&format!("[{number}]"))),
                    short,
                );
            }
            shown = element;
            continue;
        }
        let dot = if field.starts_with('[') || field.is_empty() { "" } else { "." };
        let placed = slot.and_then(|(path, at)| Some((path, at, field.strip_prefix(path)?)));
        let field = match placed {
            Some((path, at, rest)) => format!("{path}[{at}]{rest}"),
            None => field.clone(),
        };
        line(out, &format!("  {}{dot}{}", known.path, counted.path(&field)), text);
    }
}

/// Paths of elements that follow each other: without their numbers, so that one that comes does not change the lines of
/// those behind it.
#[derive(Default)]
struct CountedPaths(HashMap<String, usize>);

impl CountedPaths {
    fn path(&mut self, field: &str) -> String {
        let number = field.strip_suffix(']').and_then(|it| it.rsplit_once('['));
        let Some((list, Ok(number))) = number.map(|(list, it)| (list, it.parse::<usize>())) else {
            return field.to_owned();
        };
        // What stands between two others and says nothing is seen by the number of the next one.
        let next = self.0.entry(list.to_owned()).or_default();
        let path = match number == *next {
            true => format!("{list}[]"),
            false => field.to_owned(),
        };
        *next = number + 1;
        path
    }
}

/// Whether a field is one of the tag of a value within another.
fn is_of_tag(field: &str) -> bool {
    field.starts_with("tag.") || field.contains(".tag.")
}

/// The number of the element that a field belongs to.
fn element_number(field: &str) -> Option<usize> {
    field.strip_prefix('[')?.split_once(']')?.0.parse().ok()
}

/// Elements with parts as one text each, where that is short and says all.
fn short_elements(side: &Side<'_>, value: &Value) -> Vec<Option<String>> {
    let elements = elements_of(value).map(|it| it.to_values(side.package.source()));
    let Some(Ok(elements)) = elements else { return Vec::new() };
    let short = |element: &Value| {
        let is_whole = !matches!(element, Value::Array(_) | Value::Set(_) | Value::Map(_));
        let element = Some(element.clone()).filter(|_| is_whole);
        let is_whole = says_all(&element);
        let text = side.package.values().shown(&element.filter(|_| is_whole)?, &side.context);
        (text.starts_with('(') && text.len() <= SHORT).then(|| without_numbers(&text))
    };
    elements.iter().map(short).collect()
}

/// A text of fields that have numbers in place of names, without them: `(0=1.0,1=2.0)`.
fn without_numbers(text: &str) -> String {
    if !text.starts_with("(0=") || text.contains(['"', '\'']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split_inclusive(['(', ',']).enumerate() {
        let number = part.split_once('=').filter(|(number, _)| {
            at > 0 && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        out.push_str(number.map_or(part, |(_, value)| value));
    }
    out
}

/// What the tags of values within another say, in one text: types hardly change, and would stand between all values.
fn types_text<'a>(tags: impl Iterator<Item = &'a (String, String)>) -> Option<String> {
    // An element whose tags say nothing is one of its own form.
    let mut by_number: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut said: Vec<(Option<usize>, String)> = Vec::new();
    for (field, text) in tags.filter(|(field, _)| !is_slot(field)) {
        let number = element_number(field);
        let of_element = number.map(|number| by_number.entry(number).or_default());
        if is_nothing(text) {
            continue;
        }
        let rest = number.and_then(|_| field.split_once(']')).map_or(&**field, |it| it.1);
        let text = format!("{} {text}", rest.trim_start_matches('.'));
        if let Some(of_element) = of_element {
            of_element.push(text.clone());
        }
        said.push((number, text));
    }
    let of = |number: Option<usize>| -> Vec<&str> {
        said.iter().filter(|it| it.0 == number).map(|it| &*it.1).collect()
    };
    let own = of(None);
    let first = by_number.first_key_value().map(|(&first, _)| of(Some(first))).unwrap_or_default();
    // Of elements that are all of one form that of the first says all.
    let text = match by_number.values().all(|one| *one == first) {
        true => [own, first].concat().join(", "),
        false => said.iter().map(|it| &*it.1).collect::<Vec<_>>().join(", "),
    };
    match text.len() {
        0 => None,
        1..=SHORT => Some(text),
        _ => Some(format!("{} tags, {}", said.len(), hash(text.as_bytes()))),
    }
}

/// Whether a field of a tag is the place in a static array, which stands in the path of the value: not that of the
/// tag that an array has for its elements.
fn is_slot(field: &str) -> bool {
    field.ends_with(".tag.array_index")
}

pub(super) fn line(out: &mut String, field: &str, text: &str) {
    // Texts of several lines, as sources are, line by line.
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    if text.contains('\n') && text.chars().all(is_text) {
        let ends = text.matches('\n').count();
        let (end, name) = match text.matches("\r\n").count() == ends {
            true => ("\r\n", " CRLF"),
            false => ("\n", ""),
        };
        let _ = writeln!(out, "  {} ={name}", one_line(field));
        for part in text.split(end) {
            let _ = writeln!(out, "    | {}", one_line(part));
        }
        return;
    }
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
pub(super) fn numbered(lines: &str) -> String {
    with_labels(lines, |_| true)
}

/// The same for source: labels that its author has named stay.
pub(super) fn numbered_source(source: &str) -> String {
    with_labels(source, |label| {
        let place = label.strip_prefix('L').unwrap_or_default();
        place.len() >= 4 && place.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn with_labels(lines: &str, is_place: impl Fn(&str) -> bool) -> String {
    let label = |line: &str| {
        Some(line.trim().strip_suffix(':')?).filter(|label| is_place(label)).map(str::to_owned)
    };
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
