//! A new asset: what it is to hold, and how the editor saves it.

use std::sync::Arc;

use super::super::Builder;
use super::blueprint::GivenHeritage;
use super::cooked::OLDEST;
use super::rows::{NewRows, ROW_STRUCT, element};
use super::texts::string_table;
use super::unique_names::UniqueNames;
use crate::Guid;
use crate::archive::Context;
use crate::edit::{Edit, PackageEdit};
use crate::error::{Error, Result, UnrealErrors, noun};
use crate::inspect::meaning::ObjectLookup;
use crate::inspect::own_path::check_path;
use crate::object::Native;
use crate::object::ue4::asset::small::MetaData;
use crate::package::Package;
use crate::package::checksum::package_source;
use crate::package::path_map::short_name;
use crate::primitive::{FString, Map, ObjectFlags, PackageIndex};
use crate::property::{
    Change, Mappings, Naming, PathPart, Presence, Property, PropertyList, Type, apply_value,
};
use crate::table::{AssetTag, MetaDataValue, Thumbnail, ThumbnailImage};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, UnrealVersions};

/// The key of the editor's note on the texts of a package.
const NAMESPACE_KEY: &str = "PackageLocalizationNamespace";

/// Flags that assets have.
pub(super) const OF_ASSETS: ObjectFlags =
    ObjectFlags::UE4_PUBLIC.with(ObjectFlags::UE4_STANDALONE).with(ObjectFlags::UE4_TRANSACTIONAL);

/// A new asset in a package of its own, as the editor of a release saves it: uncooked, with an entry for
/// the asset registry.
///
/// ```
/// use unreal_packages::generate::{NewAsset, NewRows};
/// use unreal_packages::EngineRelease;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let mut rows = NewRows::of("/Script/MyGame.WeaponRow");
/// rows.column("Damage", "float".parse()?);
/// rows.row("Sword", ["12.5"])?;
/// let table = NewAsset::data_table("/Game/Data/DT_Weapons", rows);
/// let package = table.build("5.4".parse()?)?;
/// assert!(package.find_export("DT_Weapons").is_ok());
/// # Ok(())
/// # }
/// ```
///
/// Spec: ue4-5/06 §6.
#[derive(Debug, Clone)]
pub struct NewAsset {
    pub(super) path: String,
    pub(super) class: String,
    pub(super) content: Content,
    pub(super) properties: Vec<(String, Type, String)>,
    tags: Vec<(String, String)>,
    pub(super) guid: Option<Guid>,
    pub(super) heritage: GivenHeritage,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    Plain,
    Rows(NewRows),
    Strings(String, Vec<(String, String)>),
    /// A class that is made from that of the asset.
    Blueprint,
}

impl NewAsset {
    fn new(path: &str, class: &str, content: Content) -> Self {
        let (path, class) = (path.to_owned(), class.to_owned());
        let heritage = GivenHeritage::default();
        let (properties, tags) = (Vec::new(), Vec::new());
        Self { path, class, content, properties, tags, guid: None, heritage }
    }

    /// A data table in the package of this path.
    pub fn data_table(path: &str, rows: NewRows) -> Self {
        Self::new(path, "/Script/Engine.DataTable", Content::Rows(rows))
    }

    /// A string table: keys and texts, and the namespace where the keys belong.
    pub fn string_table<K: Into<String>, T: Into<String>>(
        path: &str,
        namespace: &str,
        entries: impl IntoIterator<Item = (K, T)>,
    ) -> Self {
        let entries = entries.into_iter().map(|(key, text)| (key.into(), text.into())).collect();
        let content = Content::Strings(namespace.to_owned(), entries);
        Self::new(path, "/Script/Engine.StringTable", content)
    }

    /// An object of a class that adds nothing to its properties, such as data assets of a game.
    pub fn object(path: &str, class: &str) -> Self {
        Self::new(path, class, Content::Plain)
    }

    /// A blueprint: a class that is made from `parent`, `/Script/MyGame.Weapon` or `/Game/Weapons/BP_Sword.BP_Sword_C`,
    /// whose objects have other defaults: the properties. It has no properties, components or code of its own. Only games'
    /// form of them is made ([`NewAsset::build_like`], [`NewAsset::build_cooked`]): the editor's begins with graphs.
    pub fn blueprint(path: &str, parent: &str) -> Self {
        Self::new(path, parent, Content::Blueprint)
    }

    /// The flags that the parent of a blueprint hands down, which neither mappings nor references say, such as 0x800000
    /// (`HasInstancedReference`) of actors. A package like which the blueprint is made says them where it has a class with
    /// the same parent, or is the parent's. C++: `CLASS_ScriptInherit`.
    #[must_use]
    pub fn class_flags(mut self, flags: u32) -> Self {
        self.heritage.flags = Some(flags);
        self
    }

    /// The name of the ini file that the parent of a blueprint hands down: `Engine` where neither this nor a model says it.
    /// C++: `ClassConfigName`.
    #[must_use]
    pub fn class_config(mut self, name: &str) -> Self {
        self.heritage.config_name = Some(name.to_owned());
        self
    }

    /// A property with the text of its value.
    #[must_use]
    pub fn property(mut self, name: &str, property_type: Type, text: &str) -> Self {
        self.properties.push((name.to_owned(), property_type, text.to_owned()));
        self
    }

    /// Adds a tag of the asset for the asset registry.
    #[must_use]
    pub fn tag(mut self, key: &str, value: &str) -> Self {
        self.tags.push((key.to_owned(), value.to_owned()));
        self
    }

    /// The GUID of the package, instead of a random one.
    #[must_use]
    pub fn guid(mut self, guid: Guid) -> Self {
        self.guid = Some(guid);
        self
    }

    /// The package as this release saves it, opened from its bytes.
    ///
    /// # Errors
    /// `Invalid` for paths, names, types and texts that do not fit; `Exists` for two properties, columns, rows,
    /// keys or tags of one name; `Unsupported` for releases before 4.15 and for blueprints; `NotInVersion`.
    pub fn build(&self, release: EngineRelease) -> Result<Package> {
        let bytes = self.to_bytes(release)?;
        Package::from_bytes(bytes)
    }

    /// The same where mappings of the game declare what structs within values hold, whose fields are stored with their
    /// types.
    ///
    /// # Errors
    /// As [`NewAsset::build`].
    pub fn build_with(&self, release: EngineRelease, mappings: Arc<Mappings>) -> Result<Package> {
        let bytes = self.bytes(release, Some(mappings))?;
        Package::from_bytes(bytes)
    }

    /// The same as bytes.
    ///
    /// # Errors
    /// As [`NewAsset::build`].
    pub fn to_bytes(&self, release: EngineRelease) -> Result<Vec<u8>> {
        self.bytes(release, None)
    }

    fn bytes(&self, release: EngineRelease, mappings: Option<Arc<Mappings>>) -> Result<Vec<u8>> {
        check_release(release)?;
        let name = self.checked_name()?.to_owned();
        let guid = self.guid.unwrap_or_else(Guid::random);
        let mut package = Builder::for_release(release).guid(guid).begin()?;
        if let Some(mappings) = mappings {
            package.whole().use_mappings(mappings);
        }
        let class = package.class_reference(&self.class)?;
        let mut tags = self.tags.clone();
        let (list, native) = self.body(&mut package, &mut tags)?;
        let mut keys = UniqueNames::of(noun::TAG);
        tags.iter().try_for_each(|(key, _)| keys.add(key))?;
        let row = package.append_body(PackageIndex::NULL, &name, class, list, native)?;
        let text = |text: &str| package.string(text);
        let namespace = text(&guid.to_string());
        let by_path = package.versions().ue5() >= ue5::ADD_SOFTOBJECTPATH_LIST;
        let package_name = text(&self.path);
        let short_class = text(self.class.rsplit('.').next().unwrap_or_default());
        let tags = tags.iter().map(|(k, v)| AssetTag { key: text(k), value: text(v) }).collect();
        let object_path = text(&name);
        package.note_asset(row, tags);
        package.note_namespace(namespace)?;
        let thumbnail = Thumbnail { class_name: short_class, object_path, file_offset: 1 };
        package.tables_mut().thumbnails.push(thumbnail);
        package.tables_mut().images.push((1, ThumbnailImage::default()));
        let summary = &mut package.tables_mut().summary;
        // Offsets above zero are settled when the sections have their places.
        summary.thumbnail_table_offset = 1;
        summary.package_source = package_source(&name);
        if by_path {
            summary.folder_name = package_name;
        }
        debug_assert_eq!(row, 0);
        package.sync_counts()?;
        package.choose_custom_versions()?;
        let saved = package.to_bytes()?;
        Package::from_bytes(saved)?.edit(|edit| {
            edit.place_empty_sections();
            edit.to_bytes()
        })
    }

    /// The name of the asset: the last part of its path.
    pub(super) fn checked_name(&self) -> Result<&str> {
        check_path(&self.path)?;
        if !self.class.starts_with('/') || !self.class.contains('.') {
            let class = &self.class;
            return Err(Error::invalid(format!(
                "'{class}' is no path of a class: write /Script/Module.Class"
            )));
        }
        if self.heritage != GivenHeritage::default() && !matches!(self.content, Content::Blueprint)
        {
            return Err(Error::invalid("flags and ini files are handed down to blueprints alone"));
        }
        Ok(short_name(&self.path))
    }

    /// The properties and what the class adds.
    fn body(
        &self,
        package: &mut Edit,
        tags: &mut Vec<(String, String)>,
    ) -> Result<(PropertyList, Native)> {
        let mut properties = Vec::new();
        let mut names = UniqueNames::of(noun::PROPERTY);
        let native = match &self.content {
            Content::Plain => Native::None,
            Content::Rows(rows) => {
                names.add(ROW_STRUCT)?;
                properties.push(rows.row_struct_property(package)?);
                let structure = &rows.row_struct;
                let short = structure.rsplit('.').next().unwrap_or_default();
                let by_path = package.versions().ue5() >= ue5::ADD_SOFTOBJECTPATH_LIST;
                let named = if by_path { structure } else { short };
                tags.push(("RowStructure".to_owned(), named.to_owned()));
                Native::Object(Box::new(rows.table(package)?))
            }
            Content::Strings(namespace, entries) => string_table(package, namespace, entries)?,
            Content::Blueprint => {
                return Err(Error::unsupported(
                    "blueprints are made as games store them, not as the editor does: in a package like one of the game, \
                     or cooked for its release",
                ));
            }
        };
        let context = package.decoding_context();
        for (name, known, text) in &self.properties {
            let element = element(name)?;
            names.add_element(element)?;
            properties.push(package.property_of(element, known, text, &context)?);
        }
        let terminator = package.name("None")?;
        Ok((PropertyList::new(properties, terminator), native))
    }
}

/// Refuses releases that assets are not made for.
pub(super) fn check_release(release: EngineRelease) -> Result<()> {
    if release < OLDEST {
        let reason = format!("assets are made for Unreal Engine {OLDEST} and newer, not {release}");
        return Err(Error::unsupported(reason));
    }
    Ok(())
}

impl Edit {
    /// Notes where texts of the package belong: in the header, and where the editor looks for it.
    fn note_namespace(&mut self, namespace: FString) -> Result<()> {
        let key = self.name(NAMESPACE_KEY)?;
        if let Some(data) = self.tables_mut().further.meta_data.as_mut() {
            data.root.push(MetaDataValue { key, value: namespace });
            return Ok(());
        }
        let class = self.class_reference("/Script/CoreUObject.MetaData")?;
        let data = MetaData { objects: Map::default(), root: Map(vec![(key, namespace)]) };
        let list = PropertyList::new(Vec::new(), self.name("None")?);
        let native = Native::Object(Box::new(data));
        let row = self.append_body(PackageIndex::NULL, "PackageMetaData", class, list, native)?;
        if let Some(export) = self.tables_mut().exports.get_mut(row) {
            export.object_flags = ObjectFlags::UE4_STANDALONE;
            (export.not_for_client, export.not_for_server) = (true.into(), true.into());
            export.not_always_loaded_for_editor_game = false.into();
            export.is_asset = false.into();
        }
        Ok(())
    }

    /// The header says where sections would stand that have nothing in them (spec: ue4-5/06 §4).
    pub(super) fn place_empty_sections(&mut self) {
        let (v5, is_cooked) = (self.versions().ue5(), !self.versions().has_editor_only_data());
        let tables = self.tables_mut();
        let summary = &mut tables.summary;
        // Behind the names: what stands there first is the metadata or the imports.
        let behind_names = match tables.further.meta_data {
            Some(_) => summary.meta_data_offset,
            None => summary.import_offset,
        };
        if v5 >= ue5::ADD_SOFTOBJECTPATH_LIST {
            summary.soft_object_paths_offset = behind_names;
        }
        if v5 >= ue5::VERSE_CELLS {
            summary.cell_export_offset = summary.depends_offset;
            summary.cell_import_offset = summary.depends_offset;
        }
        if is_cooked {
            return;
        }
        summary.gatherable_text_data_offset = behind_names;
        if tables.further.soft_package_references.is_empty() {
            summary.soft_package_references_offset = summary.searchable_names_offset;
        }
    }

    /// A property of this type, or an element of a static array, with the value that the text says.
    pub(super) fn property_of(
        &mut self,
        (name, element): (&str, u32),
        known: &Type,
        text: &str,
        context: &Arc<Context>,
    ) -> Result<Property> {
        let mut property = Property::blank(name, element, known, self)?;
        let mut lookup = ObjectLookup::writing(self, Arc::clone(context), 0);
        let whole: (&[String], &[PathPart]) = (&[], &[]);
        let (change, origin) = (Change::Set(text), Presence::Added(None));
        apply_value(property.value_mut(), known, whole, &change, origin, &mut lookup)?;
        Ok(property)
    }
}
