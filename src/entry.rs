//! One call for what most programs do with a value.

#[cfg(feature = "json")]
mod json;

use std::io::{Read, Write};

#[cfg(feature = "json")]
pub use json::{from_json, from_json_value, to_json, to_json_value};

use crate::archive::{
    Annotate, Archived, Counter, Lend, Loader, ReadLoader, Record, Saver, WriteSaver,
};
use crate::error::{Error, Result};
use crate::version::Versions;

/// The bytes of a value.
///
/// A header that [tells its versions](crate::Archive::set_versions) is loaded with others than are given here, and saved with
/// these.
///
/// # Errors
/// The value's own, such as `NotInVersion`; `Invalid` where two values stand at the same bytes and differ.
pub fn to_bytes(value: impl Lend, versions: &Versions) -> Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    value.lend(|value| value.serialize(&mut saver))?;
    saver.finish()
}

/// Writes a value, and says how many bytes it took. The value is written when it is complete: a writer that seeks is
/// [`WriteSaver::seekable`], where the bytes go out as they come.
///
/// # Errors
/// As [`to_bytes`]; `Io` when writing fails.
pub fn to_writer(value: impl Lend, versions: &Versions, writer: impl Write) -> Result<u64> {
    let mut saver = WriteSaver::new(writer, versions.clone());
    saver.put(value)?;
    saver.finish().map(|(_, length)| length)
}

/// The value that these bytes are: all of them.
///
/// It stands by itself: what would be a range of the bytes is a copy. [`Loader`] copies nothing.
///
/// # Errors
/// The value's own, such as `UnexpectedEnd`; `LeftOver` where bytes are left behind it.
pub fn from_bytes<T: Archived + Default>(bytes: &[u8], versions: &Versions) -> Result<T> {
    let (mut value, mut loader) = (T::default(), Loader::new(bytes, versions.clone()).owning());
    value.serialize(&mut loader)?;
    loader.finish()?;
    Ok(value)
}

/// The value that the bytes of `reader` are, up to its end. They are read as they are needed;
/// [`ReadLoader`] reads several values, and follows offsets in what seeks.
///
/// # Errors
/// As [`from_bytes`]; `Io` when reading fails.
pub fn from_reader<T: Archived + Default>(reader: impl Read, versions: &Versions) -> Result<T> {
    let (mut value, mut loader) = (T::default(), ReadLoader::new(reader, versions.clone()));
    value.serialize(&mut loader)?;
    loader.finish()?;
    Ok(value)
}

/// How many bytes [`to_bytes`] would give, without making them.
///
/// # Errors
/// As [`to_bytes`].
pub fn size(value: impl Lend, versions: &Versions) -> Result<u64> {
    let mut counter = Counter::new(versions.clone());
    value.lend(|value| value.serialize(&mut counter))?;
    Ok(counter.length())
}

/// Explains each byte that a `T` is loaded from: print it. Bytes that are no `T` are explained up to where they fail,
/// and the error stands below.
///
/// ```
/// use farchive::{Archived, Versions, explain};
///
/// #[derive(Archived, Debug, Default)]
/// struct Point {
///     x: i16,
///     y: i16,
/// }
///
/// let text = explain::<Point>(&[1, 0, 0xfe, 0xff], &Versions::own(1)).to_string();
/// assert_eq!(
///     text.lines().map(str::trim_end).collect::<Vec<_>>(),
///     [
///         "offset  bytes                    field  type  value",
///         "0x0000  01 00                    x      i16   1",
///         "0x0002  fe ff                    y      i16   -2",
///     ]
/// );
/// ```
pub fn explain<T: Archived + Default>(bytes: &[u8], versions: &Versions) -> Explained {
    let mut loader = Loader::new(bytes, versions.clone())
        .with_context(std::sync::Arc::new(crate::archive::Context::of(bytes.to_vec())));
    let mut annotate = Annotate::new(&mut loader);
    let result = T::default().serialize(&mut annotate);
    let records = annotate.into_records();
    let error = result.and_then(|()| loader.finish()).err();
    Explained { records, bytes: bytes.to_vec(), error }
}

/// The values that bytes are, each with its place: [`explain`].
#[derive(Debug)]
pub struct Explained {
    records: Vec<Record>,
    bytes: Vec<u8>,
    error: Option<Error>,
}

/// Bytes of a value that are shown.
const SHOWN: usize = 8;

impl Explained {
    /// The values, in the order of their bytes.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Why the bytes are no value of the type, if they are none.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    fn cells(&self, record: &Record) -> [String; 5] {
        let range = record.start as usize..record.end as usize;
        let bytes = self.bytes.get(range).unwrap_or_default();
        let mut shown: Vec<_> =
            bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
        if bytes.len() > SHOWN {
            shown.push("…".to_owned());
        }
        let value = match record.meaning.as_str() {
            "" => record.value.to_string(),
            meaning => meaning.chars().flat_map(escaped).collect(),
        };
        let offset = format!("{:#06x}", record.start);
        [offset, shown.join(" "), record.path.clone(), record.type_name.to_owned(), value]
    }
}

/// A character that can stand in a line.
fn escaped(char: char) -> impl Iterator<Item = char> {
    let own = (!char.is_control()).then_some(char);
    let escape = if own.is_none() { char.escape_default().collect() } else { String::new() };
    own.into_iter().chain(escape.chars().collect::<Vec<_>>())
}

/// A table, one value a line.
impl std::fmt::Display for Explained {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let head = ["offset", "bytes", "field", "type", "value"].map(str::to_owned);
        let rows: Vec<_> =
            [head].into_iter().chain(self.records.iter().map(|it| self.cells(it))).collect();
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|it| it.chars().count()).max()
        };
        let widths = [width(0), Some(SHOWN * 3 - 1), width(2), width(3)];
        let widths = widths.map(Option::unwrap_or_default);
        for [offset, bytes, field, kind, value] in &rows {
            let [first, second, third, fourth] = widths;
            let line = format!(
                "{offset:first$}  {bytes:second$}  {field:third$}  {kind:fourth$}  {value}"
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        match &self.error {
            Some(error) => writeln!(f, "{error}"),
            None => Ok(()),
        }
    }
}
