//! `.locmeta`: which languages a set of texts has.

use bytes::Bytes;

use crate::archive::{Context, Coverage, Kind, in_field, private};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Bool32, FString, array};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Loader, Saver, Span, Versions};

/// What files start with.
const MAGIC: [u8; 16] = [
    0x4f, 0xee, 0x4c, 0xa1, 0x68, 0x48, 0x55, 0x83, 0x6c, 0x4c, 0x46, 0xbd, 0x70, 0xda, 0x50, 0x7c,
];
/// First version with the languages that the texts were compiled for.
const COMPILED_CULTURES: u8 = 1;
/// First version that says whether the texts are of users.
const USER_CONTENT: u8 = 2;

/// The languages of a set of texts: a `.locmeta` file.
///
/// | version | field |
/// |---|---|
/// | 0 | native language, path of its `.locres` |
/// | 1 | all languages |
/// | 2 | whether the texts are of users |
///
/// Files of versions 0 and 1 were read; 2 is known from the format notes alone. Spec: ue4-5/14 §14.2. C++:
/// `FTextLocalizationMetaDataResource`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalizationMeta {
    /// 0 to 2.
    pub version: u8,
    /// The language that the texts were written in.
    pub native_culture: FString,
    /// Where the texts of that language are.
    pub native_resource: FString,
    /// The languages that there are, from version 1.
    pub compiled_cultures: Vec<FString>,
    /// Whether the texts belong to content of users, from version 2.
    pub is_user_content: Bool32,
    /// What stands behind all; nothing in every file seen.
    pub rest: Span,
}

impl Archived for LocalizationMeta {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        private::magic(&MAGIC, ar)?;
        in_field("version", ar, |ar| ar.serialize_u8(&mut self.version))?;
        if self.version > USER_CONTENT {
            let (value, type_name) = (self.version.into(), "LocalizationMeta");
            return Err(ar.error(ErrorKind::UnknownVariant { value, type_name }));
        }
        in_field("native_culture", ar, |ar| self.native_culture.serialize(ar))?;
        in_field("native_resource", ar, |ar| self.native_resource.serialize(ar))?;
        match self.version >= COMPILED_CULTURES {
            true => in_field("compiled_cultures", ar, |ar| {
                array::counted_i32(&mut self.compiled_cultures, ar)
            })?,
            false => private::absent(&mut self.compiled_cultures, ar, "compiled_cultures")?,
        }
        match self.version >= USER_CONTENT {
            true => in_field("is_user_content", ar, |ar| self.is_user_content.serialize(ar))?,
            false => private::absent(&mut self.is_user_content, ar, "is_user_content")?,
        }
        let length = ar.peek(usize::MAX).len() as u64;
        in_field("rest", ar, |ar| ar.serialize_span(&mut self.rest, length, Kind::Opaque))
    }
}

impl LocalizationMeta {
    /// Whether a file is one.
    pub fn recognise(file: &[u8]) -> bool {
        file.starts_with(&MAGIC)
    }

    /// Reads a file, and how much of it is typed.
    ///
    /// # Errors
    /// `BadMagic` for another file, `UnknownVariant` for a version beyond 2, `UnexpectedEnd`, `TooLong` and the like
    /// for a damaged file.
    pub fn read(file: impl Into<Bytes>) -> Result<(Self, Coverage)> {
        let file = file.into();
        let mut loader = Loader::new(&file, Versions::ue4_and_5(0, 0));
        let mut meta = Self::default();
        meta.serialize(&mut loader)?;
        let opaque = loader.opaque();
        let typed = (file.len() as u64).saturating_sub(opaque);
        Ok((meta, Coverage { typed, opaque, ..Coverage::default() }))
    }

    /// The bytes of the file; `source` is what it was read from.
    ///
    /// # Errors
    /// `NotInVersion` for what the version lacks; `OutsideSource`.
    pub fn save(&mut self, source: impl Into<Bytes>) -> Result<Vec<u8>> {
        let context = std::sync::Arc::new(Context::of(source));
        let mut saver = Saver::new(Versions::ue4_and_5(0, 0)).with_context(context);
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// Its values by name, as the engine calls them; `source` is what it was read from.
    ///
    /// # Errors
    /// `OutsideSource` for a text of another file.
    pub fn values(&self, source: &[u8]) -> Result<Vec<(String, String)>> {
        let text = |text: &FString| text.text(source).map(std::borrow::Cow::into_owned);
        let mut values = vec![
            ("NativeCulture".to_owned(), text(&self.native_culture)?),
            ("NativeLocRes".to_owned(), text(&self.native_resource)?),
        ];
        for (row, culture) in self.compiled_cultures.iter().enumerate() {
            values.push((format!("CompiledCultures[{row}]"), text(culture)?));
        }
        if self.version >= USER_CONTENT {
            values.push(("bIsUGC".to_owned(), (self.is_user_content.0 != 0).to_string()));
        }
        Ok(values)
    }

    /// Gives the text at a path another one, and says what it was.
    ///
    /// # Errors
    /// `Invalid` for what is no text of the file; then nothing has changed.
    pub fn set(&mut self, path: &str, text: &str, source: &[u8]) -> Result<String> {
        let row = path.strip_prefix("CompiledCultures[").and_then(|rest| rest.strip_suffix(']'));
        let culture = row.and_then(|row| row.parse::<usize>().ok());
        let field = match path {
            "NativeCulture" => Some(&mut self.native_culture),
            "NativeLocRes" => Some(&mut self.native_resource),
            _ => culture.and_then(|row| self.compiled_cultures.get_mut(row)),
        };
        let field = field.ok_or_else(|| {
            let next = "NativeCulture, NativeLocRes and CompiledCultures[0] to the last are texts";
            Error::invalid(format!("'{path}' is no text of the file: {next}"))
        })?;
        let old = field.text(source)?.into_owned();
        *field = FString::new(text);
        Ok(old)
    }
}
