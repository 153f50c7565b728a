//! Substances: archives of textures that are computed, as a plugin of UE4 keeps them.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::Zeros;
use crate::object::ue4::condition::{fixed, when};
use crate::primitive::{FString, Guid, Payload};
use crate::{Archive, Archived, Described};

/// The archive of a substance, and what it can compute. One file of UE4.11 has this layout.
///
/// C++: `USubstanceInstanceFactory`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SubstanceInstanceFactory {
    /// Of unknown meaning.
    pub unknown: Zeros<5>,
    /// 1.
    pub version: i32,
    /// Of unknown meaning.
    pub number: u32,
    /// Its name.
    pub guid: Guid,
    /// The file that it was imported from.
    pub source_path: FString,
    /// When that file was changed.
    pub source_time: FString,
    /// 1.
    pub archive_count: i32,
    /// The archive: 7-Zip.
    pub archive: Payload<1>,
    /// The graphs that can be computed.
    pub graphs: Vec<SubstanceGraph>,
}

/// A graph that a substance computes. C++: `graph_desc_t`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SubstanceGraph {
    /// Its address in the archive, `pkg://Name`.
    pub url: FString,
    /// Its name.
    pub label: FString,
    /// The description.
    pub description: FString,
    /// The images that come out.
    pub outputs: Vec<SubstanceOutput>,
    /// Instances of it.
    pub instances: Vec<Guid>,
    /// The inputs.
    pub inputs: Vec<SubstanceInput>,
}

/// An image that comes out of a [`SubstanceGraph`]. C++: `output_desc_t`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SubstanceOutput {
    /// Its name.
    pub identifier: FString,
    /// Its name for people.
    pub label: FString,
    /// Its number.
    pub uid: u32,
    /// Format of its texels.
    pub format: i32,
    /// The channel that it is used for.
    pub channel: i32,
    /// Of unknown meaning, 4.
    pub unknown: i32,
    /// Inputs that change it, by number.
    pub inputs: Vec<u32>,
}

/// An input of a [`SubstanceGraph`]. C++: `input_desc_t`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SubstanceInput {
    /// Type of its value.
    pub kind: i32,
    /// Its name.
    pub identifier: FString,
    /// Its name for people.
    pub label: FString,
    /// Its number.
    pub uid: u32,
    /// The type again.
    pub value_kind: i32,
    /// Its place in the list.
    pub index: i32,
    /// Of unknown meaning, 4.
    pub unknown: i32,
    /// Outputs that it changes, by number.
    pub outputs: Vec<u32>,
    /// Of unknown meaning.
    pub flags: [i32; 2],
    /// How it is shown. 5: as a list of choices.
    pub widget: i32,
    /// Values to choose from.
    pub choices: Vec<(i32, FString)>,
    /// Whether values stay within the bounds.
    pub is_clamped: i32,
    /// Default, lowest and highest value; the type says how many numbers, and whether they are floats.
    pub values: Vec<u32>,
    /// The group that it is shown in.
    pub group: FString,
}

/// The widget of choices.
const CHOICES: i32 = 5;

impl SubstanceInput {
    /// Numbers of a value of its type: images have none.
    fn width(&self) -> usize {
        match self.kind {
            0..=3 => self.kind.unsigned_abs() as usize + 1,
            4 => 1,
            8..=10 => self.kind.unsigned_abs() as usize - 6,
            _ => 0,
        }
    }
}

impl Archived for SubstanceInput {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("kind", ar, |ar| ar.serialize_i32(&mut self.kind))?;
        in_field("identifier", ar, |ar| self.identifier.serialize(ar))?;
        in_field("label", ar, |ar| self.label.serialize(ar))?;
        in_field("uid", ar, |ar| ar.serialize_u32(&mut self.uid))?;
        in_field("value_kind", ar, |ar| ar.serialize_i32(&mut self.value_kind))?;
        in_field("index", ar, |ar| ar.serialize_i32(&mut self.index))?;
        in_field("unknown", ar, |ar| ar.serialize_i32(&mut self.unknown))?;
        in_field("outputs", ar, |ar| self.outputs.serialize(ar))?;
        in_field("flags", ar, |ar| self.flags.serialize(ar))?;
        in_field("widget", ar, |ar| ar.serialize_i32(&mut self.widget))?;
        when(self.widget == CHOICES, &mut self.choices, "choices", ar)?;
        in_field("is_clamped", ar, |ar| ar.serialize_i32(&mut self.is_clamped))?;
        let count = self.width() * 3;
        in_field("values", ar, |ar| fixed(&mut self.values, count, ar))?;
        in_field("group", ar, |ar| self.group.serialize(ar))
    }
}
