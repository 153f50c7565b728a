//! New packages and new objects, made through their typed form.

use std::sync::Arc;

use super::Edit;
use crate::archive::{Archived, Context, Object, Remap};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::{Body, Facts, Native};
use crate::package::Decoded;
use crate::primitive::{AbsentNames, NameRemap, ObjectFlags, ObjectRef, PackageIndex};
use crate::property::PropertyList;
use crate::version::threshold::ue4;
use crate::version::{EngineFacts, UnrealVersions, threshold};

impl Edit {
    /// Adds a group, with the groups around it, or returns the one that is there; null for no group.
    ///
    /// # Errors
    /// `Invalid` for an empty part, or when something else has the name; `BadText`.
    pub fn add_group(&mut self, path: &str) -> Result<PackageIndex> {
        self.appending(|package| package.group_chain(path))
    }

    fn group_chain(&mut self, path: &str) -> Result<PackageIndex> {
        let mut outer = PackageIndex::NULL;
        for part in path.split('.').filter(|_| !path.is_empty()) {
            let is_named =
                |index: &PackageIndex| self.object_name(*index).eq_ignore_ascii_case(part);
            let (groups, others): (Vec<_>, Vec<_>) = self
                .exports()
                .children(outer)
                .filter(is_named)
                .partition(|&index| self.is_group(index));
            outer = match (groups.first(), others.first()) {
                (Some(group), _) => *group,
                (None, Some(other)) => {
                    let reason = format!("'{}' is there and is no group", self.path(*other));
                    return Err(Error::invalid(reason));
                }
                (None, None) => {
                    let class = self.class_reference("Core.Package")?;
                    let list = PropertyList::new(Vec::new(), self.none_name());
                    PackageIndex::export(self.append_typed(
                        part,
                        outer,
                        class,
                        list,
                        Some(Native::None),
                    )?)
                }
            };
        }
        Ok(outer)
    }

    /// Adds an object of this class with this body; the groups around it are added where they are
    /// missing. The body is saved from its typed form.
    ///
    /// ```
    /// use unreal_packages::prelude::*;
    /// use unreal_packages::object::text::TextBuffer;
    /// use unreal_packages::object::Native;
    /// use unreal_packages::property::PropertyList;
    /// use unreal_packages::generate::{Profile, create};
    /// use unreal_packages::{FString, Package};
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let mut package = create(&Profile::UT99)?;
    /// let text = TextBuffer { text: FString::new("Made from nothing."), ..TextBuffer::default() };
    /// package.edit(|edit| {
    ///     edit.add_object("Texts.Readme", "Core.TextBuffer", PropertyList::default(), text)
    /// })?;
    /// let opened = Package::from_bytes(package.to_bytes()?)?;
    /// assert!(opened.find_export("Texts.Readme").is_ok());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Exists` when an object of the same path and class is there; `Invalid` when objects of this class
    /// hold something else, so that the body would not be read as it was written; as
    /// [`Edit::add_group`]. The package is as before then.
    pub fn add_object<T: Object>(
        &mut self,
        path: &str,
        class: &str,
        properties: PropertyList,
        object: T,
    ) -> Result<usize> {
        self.add_native(path, class, properties, Some(Native::Object(Box::new(object))), true)
    }

    /// The same for an object whose class adds nothing to its properties.
    ///
    /// # Errors
    /// As [`Edit::add_object`].
    pub fn add_plain_object(
        &mut self,
        path: &str,
        class: &str,
        properties: PropertyList,
    ) -> Result<usize> {
        self.add_native(path, class, properties, Some(Native::None), true)
    }

    /// The same without properties; what the class adds behind them is blank: no rows, no texels, no code.
    /// [`Edit::set_property`] gives it properties. An actor that lies in a level, or in UE1 and UE2 beside it,
    /// comes into the level's list and gets what the editor gives to an actor that is placed: before UE4 flags,
    /// a state frame and `Tag`; in UE1 and UE2 `Level` and `Region` too. [`Edit::placement`] says what that was.
    ///
    /// ```
    /// use unreal_packages::prelude::*;
    /// use unreal_packages::generate::{Profile, create};
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let mut package = create(&Profile::UT99)?;
    /// package.edit(|edit| {
    ///     let row = edit.add_blank_object("Info0", "Engine.Info")?;
    ///     edit.add_property(&format!("#{row}"), "Tag", &"name".parse()?, "Hall")
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Edit::add_object`].
    pub fn add_blank_object(&mut self, path: &str, class: &str) -> Result<usize> {
        let list = PropertyList::new(Vec::new(), self.none_name());
        self.add_native(path, class, list, None, true)
    }

    /// As [`Edit::add_blank_object`], but no list of what it lies in takes it in (`Components`): that list is set
    /// otherwise, or is that of the class.
    ///
    /// # Errors
    /// As [`Edit::add_object`].
    pub fn add_unlisted_object(&mut self, path: &str, class: &str) -> Result<usize> {
        let list = PropertyList::new(Vec::new(), self.none_name());
        self.add_native(path, class, list, None, false)
    }

    /// The same for an object that is said to be an actor: text of an editor says it where nothing is known of its class
    /// but its name.
    ///
    /// # Errors
    /// As [`Edit::add_object`].
    pub fn add_blank_actor(&mut self, path: &str, class: &str) -> Result<usize> {
        self.appending(|edit| {
            let row = edit.add_blank_object(path, class)?;
            edit.place_as_actor(row)?;
            Ok(row)
        })
    }

    pub(crate) fn add_native(
        &mut self,
        path: &str,
        class: &str,
        properties: PropertyList,
        native: Option<Native>,
        is_listed: bool,
    ) -> Result<usize> {
        let path = &*self.with_dots(path);
        let (group, name) = path.rsplit_once('.').unwrap_or(("", path));
        self.appending(|package| {
            // From UE4 on what it lies in may be of any class, before a group, a level, or what lists such objects; in
            // UE3, which has components, also what lies in a level.
            let there = Some(group).filter(|group| !group.is_empty());
            let there = there.and_then(|group| package.find_export(group).ok()).filter(|row| {
                package.versions().has_subobject_paths()
                    || package.versions().has_component_prefixes() && package.lies_in_level(*row)
                    || package.levels().contains(row)
                    || package.has_member_lists(*row)
            });
            let outer = match there {
                Some(row) => PackageIndex::export(row),
                None => package.group_chain(group)?,
            };
            let class = package.class_of_new(class)?;
            let row = package.append_typed(name, outer, class, properties, native)?;
            let standalone = ObjectFlags::standalone(package.versions());
            package.change_export(row, |export| {
                export.object_flags = export.object_flags.with(standalone);
            });
            package.note_asset(row, Vec::new());
            package.place_new_actor(row)?;
            package.settle_component(row);
            if is_listed {
                package.list_new(row)?;
            }
            Ok(row)
        })
    }

    /// Runs `change`, which only adds rows at the ends of tables; what it has added goes away again if it
    /// fails. No copy of the package is made, so that adding many objects stays cheap.
    #[doc(hidden)]
    pub fn appending<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.transact(change)
    }

    /// Adds a row with a typed body.
    fn append_typed(
        &mut self,
        name: &str,
        outer: PackageIndex,
        class: PackageIndex,
        properties: PropertyList,
        native: Option<Native>,
    ) -> Result<usize> {
        self.check_object_name(name, outer, None)?;
        if !outer.is_null() && self.versions().file() < threshold::OUTER_INDEX_ADDED {
            let version = self.versions().file();
            return Err(Error::invalid(format!("version {version} has no groups")));
        }
        // Objects of several classes may share a path, as real packages have it.
        let is_twin = |&&index: &&PackageIndex| {
            matches!(index.target(), ObjectRef::Export(_))
                && self.outer(index) == outer
                && self.class_of(index) == class
                && self.object_name(index).eq_ignore_ascii_case(name)
        };
        let objects = self.object_index();
        let twin = objects.named(name).iter().find(is_twin).copied();
        drop(objects);
        if let Some(twin) = twin {
            return Err(ErrorKind::Exists { what: noun::EXPORT, name: self.path(twin) }.into());
        }
        let blank = native.is_none();
        let row = self.append_body(outer, name, class, properties, native.unwrap_or_default())?;
        if blank {
            self.add_blank_native(row);
        }
        self.settle_preload(row)?;
        Ok(row)
    }

    /// Adds a row with a typed body; whether that reads back is for the caller to prove. Objects of UE4 and
    /// UE5 take their defaults from those of their class.
    pub(crate) fn append_body(
        &mut self,
        outer: PackageIndex,
        name: &str,
        class: PackageIndex,
        properties: PropertyList,
        native: Native,
    ) -> Result<usize> {
        let net_index = self.new_net_index();
        let row = self.append_export(outer, name, class, Vec::new())?;
        self.give_body(row, net_index, properties, native)?;
        Ok(row)
    }

    /// Gives a new row its typed body, of the form that its class and its flags ask for.
    pub(super) fn give_body(
        &mut self,
        row: usize,
        net_index: Option<i32>,
        properties: PropertyList,
        native: Native,
    ) -> Result<()> {
        self.settle_template(row)?;
        self.sync_counts()?;
        let shape = self.shape(row, &self.class_chain(row));
        let properties = match &shape.prologue {
            Some(prologue) if self.versions().unversioned_properties() => {
                if properties.class().is_none() && !properties.properties.is_empty() {
                    let reason = "a package that leaves out the names of properties takes them by its \
                                  mappings: add the object without, then set each";
                    return Err(Error::invalid(reason));
                }
                match properties.class() {
                    Some(_) => properties,
                    None => PropertyList::unversioned(&prologue.class),
                }
            }
            _ => properties,
        };
        let mut body = Body::new(self.versions(), shape, properties, native);
        body.net_index = net_index;
        self.set_decoded(row, Decoded { body, error: None, opaque: 0, payload: 0 });
        Ok(())
    }

    /// Adds the data of a new object's class, blank.
    pub(super) fn add_blank_native(&mut self, row: usize) {
        let context = self.decoding_context();
        let versions = self.versions().of_bodies();
        let none = self.none_name().index.value();
        let Some(decoded) = self.decoded_mut(row) else { return };
        let shape = decoded.body.shape().clone();
        let body = &decoded.body;
        let (properties, prologue) = (body.properties.as_ref(), body.prologue.as_deref());
        let (class, name) = (&*shape.class, shape.name);
        let (versions, context) = (&versions, &*context);
        let facts = Facts { class, name, versions, properties, prologue, context };
        let mut native = shape.maker.map_or(Native::None, |make| make(&facts));
        // A blank name is row 0, or is absent, and means none here; visiting with rules that know every number does
        // not fail.
        let names = move |index: i32| Some(if index == 0 { none } else { index });
        let objects = |index: i32| Some(index);
        let absent = Arc::new(Context::default().with(AbsentNames::ToNone));
        let remap = Remap::names_and_objects(versions.clone(), &names, &objects);
        let _ = match &mut native {
            Native::Script(object) => object.serialize(&mut remap.with_context(absent)),
            Native::Object(object) => object.serialize_dyn(&mut remap.with_context(absent)),
            Native::None | Native::Opaque(_) => Ok(()),
        };
        decoded.body.native = native;
    }

    /// Whether generations count the objects that are known on the net, each of which has an index.
    pub(super) fn has_net_objects(&self) -> bool {
        self.versions().file() >= threshold::NET_OBJECT_COUNT_ADDED
            && self.versions().ue4() < ue4::OLDEST_LOADABLE_PACKAGE
    }

    fn class_of(&self, index: PackageIndex) -> PackageIndex {
        match index.target() {
            ObjectRef::Export(row) => {
                self.tables().exports.get(row).map(|export| export.class_index).unwrap_or_default()
            }
            _ => PackageIndex::NULL,
        }
    }
}
