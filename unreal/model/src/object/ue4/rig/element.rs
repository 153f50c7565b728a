//! Elements of a rig: bones, controls, curves.

use super::control::RigControl;
use super::metadata::RigMetadata;
use super::rig_version::rig;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::optional::optional;
use crate::object::ue4::condition::{fixed, when, when_counted};
use crate::object::ue4::geometry::Transform;
use crate::primitive::{FString, Name, NameContext, StoredName, array};
use crate::version::custom::{self, control_rig};
use crate::{Archive, ArchiveExt, Archived, Described};

/// What an element is and how it is called. C++: `FRigElementKey`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct RigKey {
    /// What it is: `Bone`, `Control`, `Curve`. C++: `ERigElementType`.
    pub kind: Name,
    /// Its name.
    pub name: Name,
}

/// A transform that may have to be computed anew. C++: `FRigComputedTransform`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct RigTransform {
    /// The transform.
    pub transform: Transform,
    /// Whether it is out of date.
    pub is_dirty: bool,
}

/// Where an element is, and where it was at first. C++: `FRigCurrentAndInitialTransform`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct RigPose {
    /// Where it is, from its parent.
    pub current_local: RigTransform,
    /// Where it is, from the rig.
    pub current_global: RigTransform,
    /// Where it was at first, from its parent.
    pub initial_local: RigTransform,
    /// Where it was at first, from the rig.
    pub initial_global: RigTransform,
}

/// An element without what it refers to. C++: `FRigBaseElement` and what derives from it.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigElement {
    /// What it is called in the list; from where elements have storage of their own the list stands before them.
    pub listed_key: RigKey,
    /// What it is called.
    pub key: RigKey,
    /// What scripts keep with it.
    pub metadata: Vec<RigMetadata>,
    /// Where it is; curves and connectors are nowhere.
    pub pose: Option<Box<RigPose>>,
    /// Where its parents are together.
    pub parent_pose: Option<Box<RigPose>>,
    /// How many parents it has, where it can have several.
    pub parent_count: Option<u32>,
    /// Of a bone: whether it came with a mesh. C++: `ERigBoneType`.
    pub bone_type: Option<Name>,
    /// Of a control: what animators see of it.
    pub control: Option<Box<RigControl>>,
    /// Of a curve: whether it has a value, and the value.
    pub curve: Option<RigCurve>,
    /// Of a rigid body: its mass.
    pub mass: Option<f32>,
    /// Of a connector: what it takes.
    pub connector: Option<Box<RigConnector>>,
}

/// The value of a curve.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct RigCurve {
    /// Whether it has one.
    #[since(custom = custom::CONTROL_RIG, control_rig::CURVE_ELEMENT_VALUE_STATE_FLAG)]
    pub is_value_set: bool,
    /// The value.
    pub value: f32,
}

/// What a connector takes. C++: `FRigConnectorSettings`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigConnector {
    /// What it says.
    pub description: FString,
    /// Primary or secondary. C++: `EConnectorType`.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONNECTORS_WITH_TYPE)]
    pub kind: u8,
    /// Whether nothing has to be connected.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONNECTORS_WITH_TYPE)]
    pub is_optional: bool,
    /// Whether several may be connected.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_ARRAY_CONNECTORS)]
    pub is_array: bool,
    /// Whether it counts only when all is built.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_POST_CONSTRUCTION_CONNECTORS)]
    pub is_post_construction: bool,
    /// Structs of rules, and the rules as text.
    #[archive(with = array::counted_i32)]
    pub rules: Vec<(FString, FString)>,
}

/// The kinds that elements have, and what is there of them.
#[derive(Default)]
struct Parts {
    has_pose: bool,
    has_parents: bool,
    kind: Kind,
}

/// The kinds that have something of their own.
#[derive(Default, PartialEq)]
enum Kind {
    #[default]
    Plain,
    Bone,
    Control,
    Curve,
    Body,
    Connector,
}

impl Parts {
    fn of(name: &str) -> Option<Self> {
        let name = name.rsplit("::").next().unwrap_or_default();
        let (has_pose, has_parents, kind) = match name {
            "Bone" => (true, false, Kind::Bone),
            "Null" | "Space" => (true, true, Kind::Plain),
            "Control" => (true, true, Kind::Control),
            "Curve" => (false, false, Kind::Curve),
            "RigidBody" | "Physics" => (true, false, Kind::Body),
            "Reference" | "Socket" => (true, false, Kind::Plain),
            "Connector" => (false, false, Kind::Connector),
            _ => return None,
        };
        Some(Self { has_pose, has_parents, kind })
    }
}

/// A part of an element, which its kind has when it is loaded; else the one at hand.
fn part<T: Archived + Default, A: Archive + ?Sized>(
    present: bool,
    value: &mut Option<T>,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        *value = present.then(T::default);
    }
    optional(value, name, ar)
}

impl Archived for RigElement {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let version = rig(ar);
        let is_listed = version < control_rig::RIG_HIERARCHY_INDIRECT_ELEMENT_STORAGE;
        when(is_listed, &mut self.listed_key, "listed_key", ar)?;
        in_field("key", ar, |ar| self.key.serialize(ar))?;
        let has_metadata = (control_rig::HIERARCHY_ELEMENT_METADATA
            ..control_rig::RIG_HIERARCHY_STORES_ELEMENT_METADATA)
            .contains(&version);
        when_counted(has_metadata, &mut self.metadata, "metadata", ar)?;
        // The name decides when loading; in every other direction the parts at hand do.
        let parts = match ar.is_loading() {
            true => {
                let text = ar.context().name_text(&self.key.kind).unwrap_or_default();
                let form = "an element of a rig of unknown kind";
                Parts::of(&text).ok_or_else(|| ar.error(ErrorKind::NonCanonical { form }))?
            }
            false => Parts::default(),
        };
        part(parts.has_pose, &mut self.pose, "pose", ar)?;
        let has_cache =
            parts.has_parents && version < control_rig::REMOVED_MULTI_PARENT_PARENT_CACHE;
        part(has_cache, &mut self.parent_pose, "parent_pose", ar)?;
        part(parts.has_parents, &mut self.parent_count, "parent_count", ar)?;
        part(parts.kind == Kind::Bone, &mut self.bone_type, "bone_type", ar)?;
        part(parts.kind == Kind::Control, &mut self.control, "control", ar)?;
        part(parts.kind == Kind::Curve, &mut self.curve, "curve", ar)?;
        part(parts.kind == Kind::Body, &mut self.mass, "mass", ar)?;
        part(parts.kind == Kind::Connector, &mut self.connector, "connector", ar)
    }
}

impl RigElement {
    /// What the element refers to, which stands behind all elements.
    pub(super) fn blank_parents(&self) -> RigParents {
        let several = self.parent_count;
        let is_one = self.pose.is_some() && several.is_none();
        RigParents { one: is_one.then(RigKey::default), several, constraints: Vec::new() }
    }
}

/// What an element hangs on.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigParents {
    /// The only one.
    pub one: Option<RigKey>,
    /// Those of which each has a share.
    pub constraints: Vec<RigParent>,
    #[archive(skip)]
    several: Option<u32>,
}

impl RigParents {
    pub(super) fn serialize_for<A: Archive + ?Sized>(
        &mut self,
        element: &RigElement,
        ar: &mut A,
    ) -> Result<()> {
        if ar.is_loading() {
            *self = element.blank_parents();
        }
        let blank = element.blank_parents();
        part(blank.one.is_some(), &mut self.one, "one", ar)?;
        let count = usize::try_from(blank.several.unwrap_or_default()).unwrap_or(usize::MAX);
        in_field("constraints", ar, |ar| fixed(&mut self.constraints, count, ar))
    }
}

/// A parent with its share. C++: `FRigElementParentConstraint`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigParent {
    /// The parent.
    pub key: RigKey,
    /// Its share at first: of place, rotation and size, or of all three.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_MULTI_PARENT_CONSTRAINTS)]
    pub initial_weight: [f32; 3],
    /// Its share.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_MULTI_PARENT_CONSTRAINTS)]
    pub weight: [f32; 3],
    /// One share for all three, at first and now.
    #[until(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_MULTI_PARENT_CONSTRAINTS)]
    pub single_weights: [f32; 2],
    /// What it is called.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_PARENT_CONSTRAINT_WITH_LABEL)]
    pub label: StoredName,
}
