//! Save games: `.sav` files that start with `GVAS`.

use std::sync::Arc;

use bytes::Bytes;

use super::string_names::StringNames;
use super::text_rows::TextRows;
use crate::archive::layout::Layout;
use crate::archive::{Context, Coverage, Kind, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::primitive::{EngineVersion, FString};
use crate::property::PropertyList;
use crate::table::CustomVersions;
use crate::version::{UnrealVersions, Versions};
use crate::{Archive, ArchiveExt, Archived, Described, Loader, Saver, Span};

/// First version of the file with custom versions.
const CUSTOM_VERSIONS_ADDED: i32 = 2;
/// First version of the file with the UE5 version.
const UE5_VERSION_ADDED: i32 = 3;
/// First UE5 version in which a byte before the properties says how they are stored.
const CONTROL_ADDED: u32 = 1011;

/// What stands before the properties of a save game: the versions that decide how they are stored.
///
/// Spec: ue4-5/14 §14.1. C++: `FSaveGameHeader`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SaveHeader {
    /// Version of the file: 2 with custom versions, 3 with the UE5 version.
    pub file_version: i32,
    /// The UE4 version of the engine.
    pub ue4: u32,
    /// The UE5 version, from file version 3.
    pub ue5: u32,
    /// The engine's release and build.
    pub engine: EngineVersion,
    /// The form of the custom versions, from file version 2: 3 plain, 2 with names, 1 with tags.
    pub custom_version_form: i32,
    /// The custom versions.
    pub custom_versions: CustomVersions,
    /// The class of the object: its path, in old games its name.
    pub class: FString,
}

impl Archived for SaveHeader {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        private::magic(SaveGame::MAGIC, ar)?;
        in_field("file_version", ar, |ar| ar.serialize_i32(&mut self.file_version))?;
        in_field("ue4", ar, |ar| ar.serialize_u32(&mut self.ue4))?;
        if self.file_version >= UE5_VERSION_ADDED {
            in_field("ue5", ar, |ar| ar.serialize_u32(&mut self.ue5))?;
        } else {
            private::absent(&mut self.ue5, ar, "ue5")?;
        }
        in_field("engine", ar, |ar| self.engine.serialize(ar))?;
        if self.file_version >= CUSTOM_VERSIONS_ADDED {
            in_field("custom_version_form", ar, |ar| {
                ar.serialize_i32(&mut self.custom_version_form)
            })?;
            if ar.is_loading() {
                self.custom_versions = match self.custom_version_form {
                    1 => CustomVersions::Tagged(Vec::new()),
                    2 => CustomVersions::Named(Vec::new()),
                    3 => CustomVersions::Plain(Vec::new()),
                    form => {
                        let type_name = "CustomVersions";
                        let value = form.into();
                        return Err(ar.error(ErrorKind::UnknownVariant { value, type_name }));
                    }
                };
            }
            in_field("custom_versions", ar, |ar| self.custom_versions.serialize(ar))?;
        } else {
            private::absent(&mut self.custom_version_form, ar, "custom_version_form")?;
            private::absent(&mut self.custom_versions, ar, "custom_versions")?;
        }
        in_field("class", ar, |ar| self.class.serialize(ar))
    }
}

impl SaveHeader {
    /// The versions that the properties are stored in.
    pub fn versions(&self) -> Versions {
        let mut versions = Versions::ue4_and_5(self.ue4, self.ue5);
        versions.set_release(self.engine.release());
        versions.set_custom_versions(self.custom_versions.rows());
        versions
    }
}

/// A save game: a header, the tagged properties of one object, and what the game has put behind them.
///
/// Names and objects are texts in the file; in memory they are rows of its own context, so that the
/// properties are those of packages.
///
/// Spec: ue4-5/14 §14.1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SaveGame {
    /// What stands before the properties.
    pub header: SaveHeader,
    /// How the properties are stored, from UE5 1011.
    pub control: u8,
    /// The properties.
    pub properties: PropertyList,
    /// Four bytes behind the properties, 0 in every file seen.
    pub end: u32,
    /// What the game has put behind the object.
    pub rest: Span,
}

impl SaveGame {
    /// What a save game starts with.
    pub const MAGIC: &'static [u8; 4] = b"GVAS";

    /// Reads, writes or visits the file. No [`Archived`]: loading, the context must know the texts of the file,
    /// which are its names.
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("header", ar, |ar| self.header.serialize(ar))?;
        ar.set_versions(self.header.versions());
        if ar.versions().ue5() >= CONTROL_ADDED {
            in_field("control", ar, |ar| ar.serialize_u8(&mut self.control))?;
        } else {
            private::absent(&mut self.control, ar, "control")?;
        }
        in_field("properties", ar, |ar| {
            self.properties.serialize(&mut StringNames::new(ar) as &mut dyn Archive)
        })?;
        in_field("end", ar, |ar| ar.serialize_u32(&mut self.end))?;
        // Loading, all that is left; in every other direction the span knows its length.
        let length = ar.peek(usize::MAX).len() as u64;
        in_field("rest", ar, |ar| ar.serialize_span(&mut self.rest, length, Kind::Opaque))
    }

    /// Whether a file is a save game.
    pub fn recognise(file: &[u8]) -> bool {
        file.starts_with(Self::MAGIC)
    }

    /// Reads a save game, with what archives have to know to visit or save it, and how much of it is typed.
    ///
    /// # Errors
    /// `BadMagic` for another file; `UnexpectedEnd`, `TooLong` and the like for a damaged one. Values that
    /// do not fit their tags are no error: they stay opaque.
    pub fn read(file: impl Into<Bytes>) -> Result<(Self, Arc<Context>, Coverage)> {
        let file = file.into();
        let mut loader = Loader::new(&file, Versions::ue4_and_5(0, 0));
        let mut game = Self::default();
        game.header.serialize(&mut loader).map_err(|error| error.in_field("header"))?;
        let start = loader.position() as usize;
        let context = Arc::new(TextRows::of(&file, start).context(file.clone()));
        let versions = Versions::ue4_and_5(0, 0);
        let mut loader = Loader::new(&file, versions).with_context(context.clone());
        game.serialize(&mut loader)?;
        let (opaque, payload) = (loader.opaque(), loader.payload());
        let typed = (file.len() as u64).saturating_sub(opaque + payload);
        Ok((game, context, Coverage { typed, payload, opaque, gap: 0 }))
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// `NotMapped` for a name that the context does not know; as the values' own.
    pub fn save(&mut self, context: &Arc<Context>) -> Result<Vec<u8>> {
        let mut saver = Saver::new(Versions::ue4_and_5(0, 0)).with_context(context.clone());
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }
}
