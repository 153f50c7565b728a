//! Controls of a rig.

use super::element::{RigKey, RigPose};
use crate::Archived;
use crate::object::ue4::geometry::{Transform, Vector};
use crate::primitive::{FString, Name, StoredName, array};
use crate::version::custom::{self, control_rig};

/// What animators see of a control, and where it stands and is shown. C++: `FRigControlElement`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigControl {
    /// What it looks like and what it lets through.
    pub settings: RigControlSettings,
    /// From where it is moved.
    pub offset: RigPose,
    /// Where its shape is.
    pub shape: RigPose,
    /// Order of the axes of its angles.
    #[since(custom = custom::CONTROL_RIG, control_rig::PREFERRED_EULER_ANGLES_FOR_CONTROLS)]
    pub euler_order: StoredName,
    /// Its angles, now and at first.
    #[since(custom = custom::CONTROL_RIG, control_rig::PREFERRED_EULER_ANGLES_FOR_CONTROLS)]
    pub euler_angles: [Vector; 2],
}

/// What a control looks like and what it lets through. C++: `FRigControlSettings`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigControlSettings {
    /// What is animated of it. C++: `ERigControlAnimationType`.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONTROL_ANIMATION_TYPE)]
    pub animation_type: StoredName,
    /// What its value is. C++: `ERigControlType`.
    pub control_type: Name,
    /// What it is called.
    pub display_name: Name,
    /// The axis of a value of one number.
    pub primary_axis: Name,
    /// Whether it was made from a curve.
    pub is_curve: bool,
    /// Whether it is animated.
    #[until(custom = custom::CONTROL_RIG, control_rig::CONTROL_ANIMATION_TYPE)]
    pub is_animatable: bool,
    /// Whether place, rotation and size are bounded.
    #[until(custom = custom::CONTROL_RIG, control_rig::PER_CHANNEL_LIMITS)]
    pub limits: [bool; 3],
    /// Which numbers are bounded, below and above.
    #[since(custom = custom::CONTROL_RIG, control_rig::PER_CHANNEL_LIMITS)]
    #[archive(with = array::counted_i32)]
    pub limit_enabled: Vec<[bool; 2]>,
    /// Whether bounds are shown.
    pub draw_limits: bool,
    /// Least and greatest value.
    #[until(custom = custom::CONTROL_RIG, control_rig::STORAGE_MIN_MAX_VALUES_AS_FLOAT_STORAGE)]
    pub range: [Transform; 2],
    /// Least value.
    #[since(custom = custom::CONTROL_RIG, control_rig::STORAGE_MIN_MAX_VALUES_AS_FLOAT_STORAGE)]
    pub minimum: [f32; 32],
    /// Greatest value.
    #[since(custom = custom::CONTROL_RIG, control_rig::STORAGE_MIN_MAX_VALUES_AS_FLOAT_STORAGE)]
    pub maximum: [f32; 32],
    /// Whether it has a shape.
    #[until(custom = custom::CONTROL_RIG, control_rig::CONTROL_ANIMATION_TYPE)]
    pub is_shape_enabled: bool,
    /// Whether its shape is shown.
    pub is_shape_visible: bool,
    /// What decides that. C++: `ERigControlVisibility`.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONTROL_ANIMATION_TYPE)]
    pub shape_visibility: StoredName,
    /// The shape.
    pub shape_name: Name,
    /// Its colour: red, green, blue, alpha.
    pub shape_color: [f32; 4],
    /// Whether only the editor of rigs shows it.
    pub is_transient: bool,
    /// The enum that its values are of.
    pub enum_path: FString,
    /// What it may be moved with.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_CONTROL_SPACE_FAVORITES)]
    #[until(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_PARENT_CONSTRAINT_WITH_LABEL)]
    #[archive(with = array::counted_i32)]
    pub spaces: Vec<RigKey>,
    /// The same with what each is called.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_PARENT_CONSTRAINT_WITH_LABEL)]
    #[archive(with = array::counted_i32)]
    pub labelled_spaces: Vec<(RigKey, Name)>,
    /// What it drives.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONTROL_ANIMATION_TYPE)]
    #[archive(with = array::counted_i32)]
    pub driven_controls: Vec<RigKey>,
    /// Whether it is shown with its parent.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONTROL_ANIMATION_TYPE)]
    pub is_grouped: bool,
    /// Whether it may be moved with those alone.
    #[since(custom = custom::CONTROL_RIG, control_rig::RESTRICT_SPACE_SWITCHING_FOR_CONTROLS)]
    pub is_restricted: bool,
    /// Which numbers are shown; none for all. C++: `ERigControlTransformChannel`.
    #[since(custom = custom::CONTROL_RIG, control_rig::CONTROL_TRANSFORM_CHANNEL_FILTERING)]
    #[archive(with = array::counted_i32)]
    pub channels: Vec<u8>,
    /// Order of the axes of its angles. C++: `EEulerRotationOrder`.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_CONTROL_PREFERRED_ROTATION_ORDER)]
    pub rotation_order: u8,
    /// Whether that order counts.
    #[since(custom = custom::CONTROL_RIG, control_rig::RIG_HIERARCHY_CONTROL_PREFERRED_ROTATION_ORDER_FLAG)]
    pub uses_rotation_order: bool,
}
