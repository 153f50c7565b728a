//! The body of an export: prefix, properties, and what its class adds.

use super::optional::optional;
use super::prefix::{ComponentPrefix, StateFrame, VengeanceHeader, VengeanceStateFrame};
use super::prologue::{Prologue, PrologueShape};
use super::script_object::ScriptObject;
use super::ue4::structure;
use std::sync::Arc;

use crate::archive::layout::Layout;
use crate::archive::{Context, Kind, Object, Span, in_field, in_part, private};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Name, array};
use crate::property::{PropertyList, Value};
use crate::script::Script;
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;
use crate::{Archive, ArchiveExt, Archived, Described, Versions};

/// First file version whose objects have a net index (spec: ue1-3/05 §5.1).
const NET_INDEX_ADDED: u32 = 322;
/// First file versions without the zeros behind the properties (spec: ue1-3/10 §10.5).
const ZEROS_UNTIL: [u32; 2] = [58, 57];

/// What documents call the bytes behind what is known of a class: no field of a class has that name.
pub const TAIL: &str = "unknown_tail";

/// The shape of a body, which decides its parts: known from the export's row and class before it is loaded.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// The class in whose name the maker was found.
    pub class: Arc<str>,
    /// The object's own name.
    pub name: Name,
    /// Makes the native part; `None` where the class adds nothing.
    pub maker: Option<Maker>,
    /// The object has a state frame.
    pub stack: bool,
    /// The object is a component; with a template name or not.
    pub component: Option<bool>,
    /// The class writes shadow data before everything else.
    pub early_shadows: bool,
    /// The object has a property list: all but classes.
    pub properties: bool,
    /// The shape of the prologue in UE4 and UE5; `None` in UE1 to UE3, and for classes.
    pub prologue: Option<PrologueShape>,
    /// The body ends at this place; what its class does not account for is kept.
    pub end: u64,
    /// What stands between what the class adds and the end is kept as bytes of unknown meaning.
    pub tail: bool,
}

/// Facts about an object that are known when its class's own data begins.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The class in whose name the maker was found.
    pub class: &'a str,
    /// The object's own name.
    pub name: Name,
    /// Versions and game.
    pub versions: &'a Versions,
    /// The properties just read.
    pub properties: Option<&'a PropertyList>,
    /// The prologue that was just read in UE4 and UE5.
    pub prologue: Option<&'a Prologue>,
    /// Names.
    pub context: &'a Context,
}

impl Facts<'_> {
    /// The bool property of this name; false when it is not there.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Bool(true) | Value::BoolByte(1..)))
    }

    /// Number of elements of the array of this name; 0 when it is not there.
    pub fn length(&self, name: &str) -> usize {
        match self.value(name) {
            Some(Value::Array(values)) => values.len(),
            Some(Value::StructArray(structs)) => structs.elements.len(),
            _ => 0,
        }
    }

    /// The first value of the property of this name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let list = self.prologue.map(|prologue| &prologue.properties).or(self.properties)?;
        list.value(name, self.context)
    }
}

/// Makes the empty native part of an object, to be loaded.
pub type Maker = fn(&Facts<'_>) -> Native;

/// The part that a class adds behind the properties.
#[derive(Debug, Clone, Default)]
pub enum Native {
    /// Nothing.
    #[default]
    None,
    /// Script objects, apart because they are by far the most.
    Script(Box<ScriptObject>),
    /// Any other class.
    Object(Box<dyn Object>),
    /// Bytes that could not be decoded.
    Opaque(Span),
}

impl Native {
    /// The code, of functions, states, structs and classes.
    pub fn code(&self) -> Option<&Script> {
        match self {
            Self::Script(object) => object.structure().map(|structure| &structure.script),
            native => structure::of(native).map(|structure| &structure.script),
        }
    }

    /// The same, to be changed: what refers to places in it stays.
    pub fn code_mut(&mut self) -> Option<&mut Script> {
        match self {
            Self::Script(object) => object.structure_mut().map(|structure| &mut structure.script),
            native => structure::of_mut(native).map(|structure| &mut structure.script),
        }
    }
}

impl<T: Object> From<T> for Native {
    fn from(object: T) -> Self {
        Self::Object(Box::new(object))
    }
}

/// The body of an export; in UE4 and UE5 a prologue in place of all but what the class adds.
///
/// Spec: ue1-3/05 §5.1, 10 §10.5, §10.6; ue4-5/04 §2.
#[derive(Described, Debug, Clone, Default)]
pub struct Body {
    shape: Shape,
    /// SWAT 4.
    pub vengeance: Option<VengeanceHeader>,
    /// Shadow data that two light components of UE3 write first.
    pub early_shadows: Option<Vec<u16>>,
    /// The execution state of objects with a stack.
    pub state_frame: Option<Box<StateFrame>>,
    /// The execution state in SWAT 4.
    pub vengeance_state_frame: Option<Box<VengeanceStateFrame>>,
    /// The prefix of components.
    pub component: Option<ComponentPrefix>,
    /// Index on the net, -1 for none; from 322.
    pub net_index: Option<i32>,
    /// The properties of all but classes.
    pub properties: Option<PropertyList>,
    /// Zeros behind the properties: one up to version 57, a second one up to 56.
    pub zeros: [u8; 2],
    /// The prologue of objects of UE4 and UE5.
    pub prologue: Option<Box<Prologue>>,
    /// The class's own data.
    pub native: Native,
    /// Bytes behind what is known of the class.
    pub tail: Span,
    /// Where what the class adds began when it was loaded.
    native_start: u64,
}

impl Body {
    /// An empty body of this shape, to be loaded.
    pub fn blank(shape: Shape) -> Self {
        Self { shape, ..Self::default() }
    }

    /// Makes a body that is blank one of this shape.
    #[doc(hidden)]
    pub fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
    }

    /// A new body of this shape: these properties, then what the class adds.
    pub fn new(
        versions: &Versions,
        shape: Shape,
        properties: PropertyList,
        native: Native,
    ) -> Self {
        let mut body = Self::blank(shape);
        body.prepare(versions);
        if let Some(header) = &mut body.vengeance {
            *header = VengeanceHeader { kind: 3, version: 0, subversion: 1 };
        }
        match &mut body.prologue {
            Some(prologue) => prologue.properties = properties,
            None => body.properties = Some(properties),
        }
        body.native = native;
        body
    }

    /// The same to look at; see [`Body::lists_mut`].
    #[doc(hidden)]
    pub fn lists(&self) -> impl Iterator<Item = &PropertyList> {
        let defaults = match &self.native {
            Native::Script(object) => match &**object {
                ScriptObject::Class(class) => Some(&class.defaults),
                ScriptObject::Struct(structure) => Some(&structure.defaults),
                _ => None,
            },
            _ => None,
        };
        let prologue = self.prologue.as_ref().map(|prologue| &prologue.properties);
        self.properties.iter().chain(prologue).chain(defaults)
    }

    /// The lists of properties: the object's own, or else the defaults of a class; those of a struct behind.
    #[doc(hidden)]
    pub fn lists_mut(&mut self) -> impl Iterator<Item = &mut PropertyList> {
        let defaults = match &mut self.native {
            Native::Script(object) => match &mut **object {
                ScriptObject::Class(class) => Some(&mut class.defaults),
                ScriptObject::Struct(structure) => Some(&mut structure.defaults),
                _ => None,
            },
            _ => None,
        };
        let prologue = self.prologue.as_mut().map(|prologue| &mut prologue.properties);
        self.properties.iter_mut().chain(prologue).chain(defaults)
    }

    /// The shape that it was loaded with.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// A body of which nothing is decoded.
    pub fn opaque(span: Span) -> Self {
        Self { native: Native::Opaque(span), ..Self::default() }
    }

    /// Whether nothing of it is decoded.
    pub fn is_opaque(&self) -> bool {
        self.properties.is_none()
            && self.net_index.is_none()
            && self.vengeance.is_none()
            && self.prologue.is_none()
            && matches!(self.native, Native::Opaque(_))
    }

    /// Whether its properties end at a gap in the mappings: what stands behind is kept as bytes.
    pub fn is_partial(&self) -> bool {
        self.prologue.as_ref().is_some_and(|prologue| prologue.properties.is_partial())
    }

    /// How many bytes what the class adds had when it was loaded with a tail behind it.
    #[doc(hidden)]
    pub fn native_size(&self) -> u64 {
        self.shape.end.saturating_sub(self.native_start).saturating_sub(self.tail.len())
    }

    /// Where the properties stand, bytes from the start of the body: as they were loaded, and as they would
    /// be saved. `None` in UE1 to UE3.
    ///
    /// # Errors
    /// A body that can't be saved.
    pub fn script_range(
        &mut self,
        versions: &Versions,
        context: &Arc<Context>,
    ) -> Result<Option<[(u64, u64); 2]>> {
        let Some(prologue) = &mut self.prologue else { return Ok(None) };
        Ok(Some([prologue.range(), prologue.measure(versions, context)?]))
    }

    /// Makes the parts ready that this version and shape have.
    fn prepare(&mut self, versions: &Versions) {
        let shape = &self.shape;
        let prologue = shape.prologue.as_ref();
        self.prologue = prologue.map(|shape| Box::new(Prologue::blank(shape, versions)));
        let swat = versions.game() == crate::Game::Swat4;
        self.vengeance = swat.then(VengeanceHeader::default);
        self.early_shadows = shape.early_shadows.then(Vec::new);
        self.state_frame = (shape.stack && !swat).then(Box::default);
        self.vengeance_state_frame = (shape.stack && swat).then(Box::default);
        self.component = shape.component.map(ComponentPrefix::blank);
        self.properties = shape.properties.then(PropertyList::default);
    }
}

impl Body {
    /// The version says whether there is one, and none is -1: so a body of a version without it can be
    /// saved for one with it.
    fn serialize_net_index<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        const NONE: i32 = -1;
        if !ar.is_loading() && self.is_opaque() {
            // It stands among the bytes that nobody has decoded.
            return Ok(());
        }
        let mut index = self.net_index.unwrap_or(NONE);
        let versions = ar.versions();
        if versions.file() >= NET_INDEX_ADDED && versions.ue4() < ue4::OLDEST_LOADABLE_PACKAGE {
            in_field("net_index", ar, |ar| ar.serialize_i32(&mut index))?;
            if ar.is_loading() {
                self.net_index = Some(index);
            }
            return Ok(());
        }
        if ar.is_loading() {
            self.net_index = None;
        } else if ar.is_saving() && index != NONE {
            return Err(ar.error(ErrorKind::NotInVersion).in_field("net_index"));
        }
        Ok(())
    }
}

impl Archived for Body {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            self.prepare(ar.versions());
        }
        optional(&mut self.vengeance, "vengeance_header", ar)?;
        if let Some(shadows) = &mut self.early_shadows {
            in_field("early_shadows", ar, |ar| array::counted_i32(shadows, ar))?;
        }
        optional(&mut self.state_frame, "state_frame", ar)?;
        optional(&mut self.vengeance_state_frame, "state_frame", ar)?;
        optional(&mut self.component, "component", ar)?;
        self.serialize_net_index(ar)?;
        let file = ar.versions().file();
        let has_zeros = self.properties.is_some();
        if let Some(properties) = &mut self.properties {
            in_part("properties", ar, |ar| properties.serialize(ar))?;
        }
        for (zero, until) in self.zeros.iter_mut().zip(ZEROS_UNTIL) {
            if has_zeros && file < until {
                in_field("zero", ar, |ar| ar.serialize_u8(zero))?;
            } else {
                private::absent(zero, ar, "zero")?;
            }
        }
        if let (Some(prologue), Some(shape)) = (&mut self.prologue, &self.shape.prologue) {
            prologue.serialize(shape, ar)?;
        }
        if ar.is_loading() {
            let (class, context) = (&*self.shape.class, ar.context());
            let (properties, prologue) = (self.properties.as_ref(), self.prologue.as_deref());
            let (name, versions) = (self.shape.name, ar.versions());
            let facts = Facts { class, name, versions, properties, prologue, context };
            self.native = match prologue.is_some_and(|prologue| prologue.properties.is_partial()) {
                true => Native::Opaque(Span::default()),
                false => self.shape.maker.map_or(Native::None, |make| make(&facts)),
            };
            self.native_start = ar.position();
        }
        self.serialize_native(ar)?;
        match self.shape.tail {
            true => serialize_rest(&mut self.tail, TAIL, self.shape.end, ar),
            false => Ok(()),
        }
    }
}

impl Body {
    fn serialize_native<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match &mut self.native {
            Native::None => Ok(()),
            Native::Script(object) => object.serialize(ar),
            Native::Object(object) => object.serialize_dyn(ar.as_dyn()),
            Native::Opaque(span) => serialize_rest(span, "rest", self.shape.end, ar),
        }
    }
}

/// What is left up to the end of the body.
fn serialize_rest<A: Archive + ?Sized>(
    span: &mut Span,
    name: &'static str,
    end: u64,
    ar: &mut A,
) -> Result<()> {
    let length = match ar.is_loading() {
        true => end.saturating_sub(ar.position()),
        false => span.len(),
    };
    in_field(name, ar, |ar| ar.serialize_span(span, length, Kind::Opaque))
}
