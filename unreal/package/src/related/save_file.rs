//! Save games that are looked at and changed: their values by path.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;

#[cfg(feature = "compression")]
use super::packed_save::{PackedSave, prefix};
use super::save_game::SaveGame;
use super::save_values::SaveLookup;
use crate::archive::{Context, Coverage};
#[cfg(feature = "compression")]
use crate::error::Error;
use crate::error::Result;
use crate::primitive::FString;
use crate::property::{Change, Found, PathPart, Type, apply, described};

/// One value of a save game as text.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedValue {
    /// Its path: `Name`, `Name[3]`, `Struct.Field`.
    pub path: String,
    /// Its type, as far as the file says it.
    pub property_type: Type,
    /// The value, as [`SaveFile::set`] takes it.
    pub text: String,
}

/// A save game with what its names mean: values as text, and changes.
#[derive(Debug, Clone)]
pub struct SaveFile {
    game: SaveGame,
    context: Arc<Context>,
    coverage: Coverage,
    #[cfg(feature = "compression")]
    packed: Option<Packed>,
    /// What stands before the save game or its wrapper.
    #[cfg(feature = "compression")]
    prefix: Bytes,
}

/// What is around a save game.
#[cfg(feature = "compression")]
#[derive(Debug, Clone)]
struct Packed {
    wrapper: PackedSave,
    file: Bytes,
    /// The save game in it.
    inside: Bytes,
}

impl SaveFile {
    /// Reads a save game.
    ///
    /// # Errors
    /// As [`SaveGame::read`].
    pub fn read(file: impl Into<Bytes>) -> Result<Self> {
        let file = file.into();
        #[cfg(feature = "compression")]
        if let length @ 1.. = prefix(&file) {
            let mut save = Self::read(file.slice(length..))?;
            save.prefix = file.slice(..length);
            save.coverage.typed += length as u64;
            return Ok(save);
        }
        #[cfg(feature = "compression")]
        if PackedSave::recognise(&file) {
            let (wrapper, inside) = PackedSave::read(&file)?;
            let (game, context, _) = SaveGame::read(inside.clone())?;
            let payload = wrapper.data.len();
            let typed = (file.len() as u64).saturating_sub(payload);
            let coverage = Coverage { typed, payload, ..Coverage::default() };
            let packed = Some(Packed { wrapper, file, inside });
            return Ok(Self { game, context, coverage, packed, prefix: Bytes::new() });
        }
        let (game, context, coverage) = SaveGame::read(file)?;
        Ok(Self {
            game,
            context,
            coverage,
            #[cfg(feature = "compression")]
            packed: None,
            #[cfg(feature = "compression")]
            prefix: Bytes::new(),
        })
    }

    /// Whether a file is a save game, perhaps in a wrapper that is known.
    pub fn recognise(file: &[u8]) -> bool {
        #[cfg(feature = "compression")]
        if PackedSave::recognise(file) || prefix(file) > 0 {
            return true;
        }
        SaveGame::recognise(file)
    }

    /// The wrapper that the save game was read from, if there was one.
    #[cfg(feature = "compression")]
    pub fn wrapper(&self) -> Option<&PackedSave> {
        self.packed.as_ref().map(|packed| &packed.wrapper)
    }

    /// Bytes before the save game or its wrapper, by which a game marks its files: `CMTA`, or `CNK` with two numbers.
    #[cfg(feature = "compression")]
    pub fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// The layout.
    pub fn game(&self) -> &SaveGame {
        &self.game
    }

    /// The characters of a text of the save game. They stand in the bytes that the save game was read from, which in a
    /// wrapper are not those of the file.
    ///
    /// # Errors
    /// `OutsideSource` for a text of another file.
    pub fn text<'a>(&'a self, text: &'a FString) -> Result<Cow<'a, str>> {
        text.text(self.context.source())
    }

    /// What the names of its values mean.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// How much of the file that was read is typed; of a packed one the stream is payload.
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// All properties in stored order.
    pub fn values(&self) -> Vec<SavedValue> {
        let mut context = Context::clone(&self.context);
        let lookup = SaveLookup::new(self.game.header.versions(), &mut context);
        let value = |property| {
            let (path, property_type, text) =
                described(&self.game.properties, None, property, &lookup);
            SavedValue { path, property_type, text }
        };
        self.game.properties.properties.iter().map(value).collect()
    }

    /// The value at a path.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no path.
    pub fn value(&self, path: &str) -> Result<SavedValue> {
        let (_, found) = self.clone().applied(path, &Change::Read)?;
        let property_type = found.old.map_or_else(|| Type::unknown("unknown"), |(_, known)| known);
        let text = found.new_text.unwrap_or_default();
        Ok(SavedValue { path: path.to_owned(), property_type, text })
    }

    /// Gives the value at a path another one, and says what it was and is. A property that is not stored is added
    /// where the path says its type: `Lives:int`.
    ///
    /// # Errors
    /// `NotFound` for what the save game does not store, without a type; `Invalid` for a text that is no such value. Then
    /// nothing has changed.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(String, String)> {
        let (changed, found) = self.clone().applied(path, &Change::Set(text))?;
        *self = changed;
        Ok((found.old_text.unwrap_or_default(), found.new_text.unwrap_or_default()))
    }

    fn applied(mut self, path: &str, change: &Change<'_>) -> Result<(Self, Found)> {
        let parts = PathPart::parse_all(path)?;
        let mut context = Context::clone(&self.context);
        let mut lookup = SaveLookup::new(self.game.header.versions(), &mut context);
        let found = apply(&mut self.game.properties, None, &parts, change, &mut lookup)?;
        lookup.finish();
        self.context = Arc::new(context);
        Ok((self, found))
    }

    /// The bytes of the file. What was packed is packed again where the save game has changed.
    ///
    /// # Errors
    /// As [`SaveGame::save`]; `Invalid` for a changed save game behind `CNK`, whose numbers are not known.
    pub fn save(&mut self) -> Result<Vec<u8>> {
        let save = self.game.save(&self.context)?;
        #[cfg(feature = "compression")]
        {
            let is_changed = self.packed.as_ref().is_some_and(|packed| save != packed.inside);
            if is_changed && self.prefix.len() > 4 {
                let reason =
                    "a save game behind CNK is not changed: what its two numbers say is not known";
                return Err(Error::invalid(reason));
            }
            let file = match &self.packed {
                Some(packed) if is_changed => packed.wrapper.pack(&save)?,
                Some(packed) => packed.wrapper.unchanged(&packed.file)?,
                None => save,
            };
            Ok([&self.prefix, file.as_slice()].concat())
        }
        #[cfg(not(feature = "compression"))]
        Ok(save)
    }
}
