//! Decoding bodies: from the range of an export to its typed form.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::by_class::ByClass;
use super::{Package, Section};
use crate::archive::{Archive, Archived, Context, Extent, Loader, Object};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::registry::maker_without_class;
use crate::object::text::ObjectRedirector;
use crate::object::ue4::{self, has_no_properties};
use crate::object::{Body, Maker, Native, Prologue, PrologueShape, Shape, maker_for, parent_of};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Layouts, PackageContext};
use crate::version::{EngineFacts, UnrealVersions};

/// The number of classes outside of the package that a chain of classes is followed through.
const DEEPEST: usize = 64;

/// The facts about the bodies of a class's objects, found once for all of them.
pub(crate) struct Family {
    /// The object's class.
    pub class: Arc<str>,
    /// The class in whose name a maker was found, and the maker.
    pub made: Option<(Arc<str>, Maker)>,
    /// UE3: the objects are components.
    component: bool,
    /// UE3: the class writes shadow data before everything else.
    early_shadows: bool,
    /// UE4 and UE5: the class writes a text about its source file first.
    pub import_data: bool,
    /// UE4 and UE5: the class writes no properties.
    without_properties: bool,
}

/// A decoded body and what is known about its bytes.
#[derive(Debug, Clone, Default)]
pub struct Decoded {
    /// The typed form.
    pub body: Body,
    /// Why part of it is not typed, if so.
    pub error: Option<Arc<Error>>,
    /// Bytes kept as they are.
    pub opaque: u64,
    /// Bulk data whose meaning is known.
    pub payload: u64,
}

/// For each byte of a tail whose meaning is not known so many before it must have been read as what the class adds,
/// which then is what it was taken for: read at a wrong place it would have failed, or left more.
const PROOF_OF_TAIL: u64 = 8;
/// So many at least.
const LEAST_PROOF: u64 = 64;

/// How many bytes a body of this size has behind what was read as a whole.
fn left_over(error: &Error, of: u64) -> Option<u64> {
    match error.kind() {
        ErrorKind::LeftOver { left, size } if *size == of => Some(*left),
        _ => None,
    }
}

/// Whether what stands before the tail of a body is what it was taken for.
fn is_proven(body: &Body) -> bool {
    let (size, tail) = (body.native_size(), body.tail.len());
    matches!(body.native, Native::Object(_)) && size >= LEAST_PROOF && size / PROOF_OF_TAIL >= tail
}

/// Decodes the bodies of a package one by one.
#[doc(hidden)]
pub struct Decoder {
    context: Arc<Context>,
    /// By class, since a package has many objects of few of them: whether they are wanted, what the class says
    /// of them, and what is known to their properties where that is the same for all.
    kinds: ByClass<(bool, Family, Option<Arc<Context>>)>,
    shared: Arc<HashSet<usize>>,
    /// For bodies that mean a former package.
    former: Option<Box<Decoder>>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").finish_non_exhaustive()
    }
}

impl Decoder {
    /// Another one for the same package.
    pub fn fork(&self, package: &Package) -> Self {
        let (context, shared) = (self.context.clone(), self.shared.clone());
        let former = package.former.as_ref().map(|former| Box::new(former.decoder()));
        Self { context, kinds: ByClass::new(package), shared, former }
    }

    /// The body of an export where its class is wanted and it can be decoded and is not yet.
    pub fn decode(
        &mut self,
        package: &Package,
        row: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Arc<Decoded>> {
        let export = package.tables.exports.get(row)?;
        if export.size() == 0
            || package.bodies.replaced.contains_key(&row)
            || package.bodies.decoded.contains_key(&row)
            || self.shared.contains(&row)
        {
            return None;
        }
        if let Some(former) = &package.former {
            return former.decode(row, self.former.as_mut()?, wanted);
        }
        let context = &self.context;
        let make = || {
            let scope = (!package.is_scope(row)).then(|| package.scoped(row, context));
            let family = package.family(&package.class_chain(row));
            (wanted(&family.class), family, scope)
        };
        let (wanted, family, scope) = self.kinds.get_or_insert_with(export.class_index, make);
        match (*wanted, scope) {
            (false, _) => None,
            (true, Some(scope)) => Some(package.decode_as(row, family, scope)),
            (true, None) => Some(package.decode_as(row, family, &package.scoped(row, context))),
        }
    }
}

impl Package {
    /// Decodes every body that is not decoded yet. From then on bodies are saved from their typed form.
    pub fn decode_all(&mut self) {
        self.decode_rest();
    }

    /// The package with these bodies decoded: a caller that asks several things of an object decodes it once. The
    /// tables are copied, so that this is for many rows at a time.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn with_decoded(&self, rows: &[usize]) -> Result<Self> {
        let mut package = self.clone();
        for &row in rows {
            let decoded = self.decode(row)?.into_owned();
            package.bodies.decoded.insert(row, decoded);
        }
        Ok(package)
    }

    /// The same as [`Package::decode_all`]; says of which bodies.
    #[doc(hidden)]
    pub fn decode_rest(&mut self) -> Vec<usize> {
        self.decode_where(|_| true)
    }

    /// Decodes the bodies of objects whose class has a name that is wanted; says which.
    #[doc(hidden)]
    pub fn decode_where(&mut self, wanted: impl Fn(&str) -> bool + Sync) -> Vec<usize> {
        let is_empty = |row: usize| self.tables.exports[row].size() == 0;
        let mut rows = 0..self.export_count();
        if rows.all(|row| self.bodies.decoded.contains_key(&row) || is_empty(row)) {
            return Vec::new();
        }
        let found = self.decode_wanted(wanted);
        let rows = found.keys().collect();
        self.bodies.decoded.put_all(found);
        rows
    }

    /// Calls `each` for every row, with its decoded body where it is wanted, can be decoded and is not yet.
    pub(super) fn decode_each(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut each: impl FnMut(usize, Option<Arc<Decoded>>) -> Result<()>,
    ) -> Result<()> {
        let mut decoder = self.decoder();
        for row in 0..self.export_count() {
            each(row, decoder.decode(self, row, &wanted))?;
        }
        Ok(())
    }

    /// A decoder that takes the bodies of this package one by one.
    #[doc(hidden)]
    pub fn decoder(&self) -> Decoder {
        let context = self.with_bulk_data_start(&self.tables.summary, &self.decoding_context());
        let shared = Arc::new(self.sharing_bodies());
        let former = self.former.as_ref().map(|former| Box::new(former.decoder()));
        Decoder { context, kinds: ByClass::new(self), shared, former }
    }

    /// Calls `each` for every row, with its body where it can be decoded and is not yet.
    #[doc(hidden)]
    pub fn each_undecoded(&self, mut each: impl FnMut(usize, Option<Arc<Decoded>>)) {
        // Nothing that could fail is done with them.
        let _ = self.decode_each(
            |_| true,
            |row, fresh| {
                each(row, fresh);
                Ok(())
            },
        );
    }

    /// Shows every body in its typed form, one after the other: those that are decoded, the others decoded for
    /// this and not kept. What `look` changes in them is lost.
    #[doc(hidden)]
    pub fn each_body(&self, mut look: impl FnMut(usize, &mut Decoded)) {
        // Nothing that could fail is done with them.
        let _ = self.decode_each(
            |_| true,
            |row, fresh| {
                if let Some(mut body) = fresh.or_else(|| self.bodies.decoded.shared(row).cloned()) {
                    look(row, Arc::make_mut(&mut body));
                }
                Ok(())
            },
        );
    }

    /// Bodies that share bytes with something else stay as they are: decoding each would cost more than
    /// the file's size.
    #[doc(hidden)]
    pub fn sharing_bodies(&self) -> HashSet<usize> {
        let claims = self.claims();
        let sections = claims.overlaps.iter().flat_map(|overlap| [overlap.first, overlap.second]);
        let body = |section| match section {
            Section::Body(row) => Some(row as usize),
            _ => None,
        };
        sections.filter_map(body).collect()
    }

    /// The decoded body of an export, after [`Package::decode_all`].
    pub fn decoded(&self, row: usize) -> Option<&Decoded> {
        self.bodies.decoded.get(&row)
    }

    /// The decoded body of one export, with what was changed in it.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn decode(&self, row: usize) -> Result<Cow<'_, Decoded>> {
        self.body(row)?;
        Ok(match self.bodies.decoded.get(&row) {
            Some(decoded) => Cow::Borrowed(decoded),
            None => Cow::Owned(self.decode_with(row, &self.decoding_context())),
        })
    }

    /// Whether an export declares properties and holds defaults for them itself: a class or struct.
    pub(super) fn is_scope(&self, row: usize) -> bool {
        let Some(export) = self.tables.exports.get(row) else { return false };
        let class = export.class_index;
        let name = self.object_name(class);
        class.is_null() || ["Struct", "ScriptStruct"].iter().any(|s| name.eq_ignore_ascii_case(s))
    }

    /// The context for the properties of an export.
    #[doc(hidden)]
    pub fn scoped(&self, row: usize, context: &Arc<Context>) -> Arc<Context> {
        let scope = match self.is_scope(row) {
            true => PackageIndex::export(row),
            false => self.tables.exports[row].class_index,
        };
        Arc::new((**context).clone().with_scope(&self.object_name(scope)))
    }

    /// What is known when the body of an export is loaded from its bytes.
    #[doc(hidden)]
    pub fn loading_context(&self, row: usize) -> Arc<Context> {
        let context = self.with_bulk_data_start(&self.tables.summary, &self.decoding_context());
        self.scoped(row, &context)
    }

    /// The declarations of the package's own classes and structs: knowledge for packages that import them.
    pub fn layouts(&self) -> Layouts {
        let context = self.value_context();
        let mut layouts = self.own_layouts(&context);
        self.declare_classes(&mut layouts, &context);
        self.declare_schemas(&mut layouts, &context);
        self.declare_members(&mut layouts);
        layouts
    }

    /// Uses what other packages declare when bodies are decoded from now on.
    pub fn add_class_layouts(&mut self, layouts: &Layouts) {
        Arc::make_mut(&mut self.known).merge(layouts);
        self.caches.forget();
    }

    /// Never fails: what can't be decoded is kept as opaque bytes, with the reason.
    #[doc(hidden)]
    pub fn decode_with(&self, row: usize, context: &Arc<Context>) -> Decoded {
        if let Some(former) = &self.former
            && !self.bodies.replaced.contains_key(&row)
        {
            return former.decode_with(row, context);
        }
        let family = self.family(&self.class_chain(row));
        let context = self.with_bulk_data_start(&self.tables.summary, context);
        Arc::unwrap_or_clone(self.decode_as(row, &family, &self.scoped(row, &context)))
    }

    /// The same for an object whose classes are known. Where it stays from the start: it is large.
    fn decode_as(&self, row: usize, family: &Family, context: &Arc<Context>) -> Arc<Decoded> {
        let mut decoded = Arc::<Decoded>::default();
        if let Some(decoded) = Arc::get_mut(&mut decoded) {
            self.decode_to(decoded, row, family, context);
        }
        decoded
    }

    fn decode_to(
        &self,
        decoded: &mut Decoded,
        row: usize,
        family: &Family,
        context: &Arc<Context>,
    ) {
        if let Some(span) = self.bodies.replaced.get(&row) {
            // Bytes of the caller's, which are decoded when the package is opened again.
            let (body, opaque) = (Body::opaque(span.clone()), span.len());
            *decoded = Decoded { body, opaque, ..Decoded::default() };
            return;
        }
        decoded.body.set_shape(self.shape_in(row, family));
        let Err(first) = self.load_body(row, decoded, context) else { return };
        let size = self.body_range(row).1;
        let shape = decoded.body.shape().clone();
        let mut load = |shape: Shape| {
            decoded.body = Body::blank(shape);
            self.load_body(row, decoded, context)
        };
        // Of a class that is not in the package only the name tells whether it is a component; the bytes
        // know better (spec: ue1-3/05 §5.1, 11 §11.0 R3).
        let other = Shape { component: self.other_component(row, &shape), ..shape.clone() };
        if other.component != shape.component && load(other).is_ok() {
            return;
        }
        let kept = Shape { tail: true, ..shape.clone() };
        if left_over(&first, size).is_some() && load(kept).is_ok() && is_proven(&decoded.body) {
            decoded.error = Some(Arc::new(first));
            return;
        }
        let mut load = |shape: Shape| {
            decoded.body = Body::blank(shape);
            self.load_body(row, decoded, context)
        };
        let mut partial = shape.clone();
        if let Some(prologue) = &mut partial.prologue {
            prologue.partial = true;
        }
        let is_gap = matches!(first.kind(), ErrorKind::NotFound { what: noun::SCHEMA, .. });
        if is_gap && partial.prologue.is_some() && load(partial).is_ok() {
            decoded.error = Some(Arc::new(first));
            return;
        }
        let rest = Shape { maker: Some(|_| Native::Opaque(Default::default())), ..shape };
        if load(rest).is_err() {
            let span = self.body_span(row);
            let opaque = span.len();
            *decoded = Decoded { body: Body::opaque(span), opaque, ..Decoded::default() };
        }
        decoded.error = Some(Arc::new(first));
    }

    fn other_component(&self, row: usize, shape: &Shape) -> Option<bool> {
        match shape.component {
            Some(_) => None,
            None if self.versions.has_component_prefixes() => {
                Some(self.versions.file() < 267 || self.lies_in_default(row))
            }
            None => None,
        }
    }

    pub(super) fn try_decode(
        &self,
        row: usize,
        body: Body,
        context: &Arc<Context>,
    ) -> Result<Decoded> {
        let mut decoded = Decoded { body, ..Decoded::default() };
        self.load_body(row, &mut decoded, context)?;
        Ok(decoded)
    }

    /// Loads a blank body from the bytes of an export.
    fn load_body(&self, row: usize, decoded: &mut Decoded, context: &Arc<Context>) -> Result<()> {
        let (start, size) = self.body_range(row);
        let mut loader = Loader::knowing(&self.source, self.versions.of_bodies(), context.clone());
        loader.seek(&self.source, start, start + size)?;
        // Not by `part`: behind a pointer every number would be a call.
        let window = loader.open(Extent::Size(size))?;
        let read = decoded.body.serialize(&mut loader);
        loader.close(window, read)?;
        (decoded.opaque, decoded.payload) = (loader.opaque(), loader.payload());
        Ok(())
    }

    /// The names of an object's class and of the classes it derives from, as far as they are known.
    #[doc(hidden)]
    pub fn class_chain(&self, row: usize) -> Vec<String> {
        let index = self.tables.exports.get(row).map(|row| row.class_index).unwrap_or_default();
        if index.is_null() {
            return vec!["Class".to_owned()];
        }
        let mut chain: Vec<_> =
            self.ancestors(index).map(|class| self.object_name(class)).collect();
        let mappings = self.mappings();
        let parent = |class: &String| {
            let parent = mappings.and_then(|mappings| mappings.parent_of(class));
            let parent = parent.or_else(|| self.known.parent_of(class));
            parent_of(class, &self.versions).or(parent).map(str::to_owned)
        };
        while let Some(parent) = chain.last().and_then(parent) {
            if chain.len() >= DEEPEST {
                break;
            }
            chain.push(parent);
        }
        chain
    }

    /// The facts that a class and the classes it derives from give about the bodies of its objects.
    pub(super) fn family(&self, chain: &[String]) -> Family {
        let ue3 = self.versions.has_component_prefixes();
        let is = |name: &str| chain.iter().any(|class| class.eq_ignore_ascii_case(name));
        let file = self.versions.of_bodies().file();
        // Two light components write shadow data first, but not in their defaults
        // (spec: ue1-3/05 §5.1, 11 §11.0 R2).
        let early_shadows = ue3
            && (file >= 617 && is("DominantDirectionalLightComponent")
                || file >= 682 && is("DominantSpotLightComponent"));
        let made =
            |class: &String| Some((class.as_str().into(), maker_for(class, &self.versions)?));
        // Text about the source file stands first (spec: ue4-5/05).
        let import_data = |class: &String| class.ends_with("ImportData");
        Family {
            class: chain.first().map(|class| class.as_str().into()).unwrap_or_default(),
            made: chain.iter().find_map(made),
            component: ue3 && chain.iter().any(|class| Shape::is_component(class)),
            early_shadows,
            import_data: chain.iter().any(import_data),
            without_properties: chain.iter().any(|class| has_no_properties(class)),
        }
    }

    #[doc(hidden)]
    pub fn shape(&self, row: usize, chain: &[String]) -> Shape {
        self.shape_in(row, &self.family(chain))
    }

    fn shape_in(&self, row: usize, family: &Family) -> Shape {
        let Some(export) = self.tables.exports.get(row) else { return Shape::default() };
        let (start, size) = self.body_range(row);
        let default_object = export.object_flags.is_class_default(&self.versions);
        let is_class = export.class_index.is_null();
        let has_prologue = Prologue::is_in(&self.versions);
        let without_properties = family.without_properties && !default_object;
        // The defaults of a class have properties only (spec: ue1-3/11 §11.0 R1); so have classes without a
        // row of their own.
        let made = family.made.clone().filter(|_| !(default_object || has_prologue && is_class));
        let (class, maker) = made.unzip();
        let component = family.component && !default_object;
        let of_bodies = || self.versions.of_bodies().file();
        let script_start = u64::try_from(export.script_serialization_start_offset).ok();
        let prologue = || PrologueShape {
            class: family.class.clone(),
            default_object,
            import_data: family.import_data,
            start: script_start.filter(|&start| start < size).unwrap_or(0),
            partial: false,
        };
        Shape {
            class: class.unwrap_or_default(),
            name: export.object_name,
            tail: false,
            maker: maker.or_else(|| maker_without_class(default_object, &self.versions)),
            stack: export.object_flags.has_stack(&self.versions),
            component: component.then(|| of_bodies() < 267 || self.lies_in_default(row)),
            early_shadows: family.early_shadows && !default_object,
            properties: !is_class && !has_prologue,
            prologue: (!is_class && has_prologue && !without_properties).then(prologue),
            end: start + size,
        }
    }

    /// Whether the object or one around it holds the defaults of a class.
    #[doc(hidden)]
    pub fn lies_in_default(&self, row: usize) -> bool {
        self.outers(PackageIndex::export(row)).any(|around| match around.target() {
            ObjectRef::Export(row) => {
                let export = self.tables.exports.get(row);
                export.is_some_and(|export| export.object_flags.is_class_default(&self.versions))
            }
            _ => false,
        })
    }
}

impl Decoded {
    /// Whether every byte is typed or payload.
    pub fn is_complete(&self) -> bool {
        self.opaque == 0
    }
}

/// The native part of a body as a `T`, if it is one.
pub fn native_as<T: Object>(body: &Body) -> Option<&T> {
    match &body.native {
        Native::Object(object) => object.downcast_ref(),
        _ => None,
    }
}

/// The object that a redirector leads to (UE3 and later), if the body is one.
pub fn redirector_target(body: &Body) -> Option<PackageIndex> {
    let late = native_as::<ue4::asset::small::ObjectRedirector>(body).map(|it| it.target);
    late.or_else(|| native_as::<ObjectRedirector>(body).map(|it| it.destination_object))
}

/// The native part of a body as a `T` to be changed, if it is one.
#[doc(hidden)]
pub fn native_as_mut<T: Object>(body: &mut Body) -> Option<&mut T> {
    match &mut body.native {
        Native::Object(object) => object.downcast_mut(),
        _ => None,
    }
}
