//! How rough or metallic a material is: a number, or a channel of a texture, as its graph says.

use std::cell::Cell;

use super::material::MeshOptions;
use super::material_parameter::MaterialParameters;
use super::object_at::ObjectAt;
use super::source::class_name;
use crate::content::{ContentKind, PackageContents};
use crate::inspect::{Answer, EffectiveValues, PackageValues, Subject, Values};
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::Value;

/// The input that stands for all of them.
const ALL_INPUTS: &str = "MaterialAttributes";

/// Expressions that are followed, one behind the other.
pub(super) const DEEPEST: usize = 24;
/// Expressions that are looked at: two inputs of each may be the same one.
const MOST: usize = 256;
/// Inputs of which a graph has at least one.
const INPUTS: [&str; 6] =
    ["BaseColor", "DiffuseColor", "EmissiveColor", "Normal", "Roughness", "Metallic"];
/// Channels of a colour, as masks name them.
pub(super) const CHANNELS: [&str; 4] = ["R", "G", "B", "A"];

/// A number from 0 to 1 for each point of a surface.
#[derive(Debug, Clone)]
pub(super) enum SurfaceLevel {
    /// The same everywhere.
    Number(f32),
    /// A channel of a texture.
    Channel(Box<LevelChannel>),
}

/// A channel of a texture, times `scale` and `offset` more.
#[derive(Debug, Clone)]
pub(super) struct LevelChannel {
    pub texture: ObjectAt,
    /// 0 to 3: red, green, blue, alpha.
    pub channel: usize,
    pub scale: f32,
    pub offset: f32,
}

impl SurfaceLevel {
    /// A straight line through both.
    fn line(self, scale: f32, offset: f32) -> Self {
        match self {
            Self::Number(number) => Self::Number(number * scale + offset),
            Self::Channel(mut it) => {
                (it.scale, it.offset) = (it.scale * scale, it.offset * scale + offset);
                Self::Channel(it)
            }
        }
    }
}

/// Reads the graph of a material.
pub(super) struct LevelReader<'a> {
    package: &'a Package,
    values: Values<'a>,
    effective: EffectiveValues<'a>,
    options: &'a MeshOptions<'a>,
    parameters: &'a MaterialParameters,
    looked: Cell<usize>,
}

impl<'a> LevelReader<'a> {
    pub fn new(
        package: &'a Package,
        options: &'a MeshOptions<'a>,
        parameters: &'a MaterialParameters,
    ) -> Self {
        let values = package.values();
        let (effective, looked) = (values.effective(), Cell::new(0));
        Self { package, values, effective, options, parameters, looked }
    }

    /// What leads into an input of a material; `default` where nothing does. `None` for what is computed of more than a
    /// texture and numbers, and for materials without a graph.
    pub fn of_material(&self, row: usize, input: &str, default: f32) -> Option<SurfaceLevel> {
        self.begin();
        let holder = self.holder(row);
        if let Some(found) = self.input(holder, input, 0, 0) {
            return found;
        }
        if self.number(holder, &format!("{input}.UseConstant")).is_some_and(|is| is != 0.0) {
            return self.number(holder, &format!("{input}.Constant")).map(SurfaceLevel::Number);
        }
        // A graph that says nothing of it.
        self.has_graph(row).then_some(SurfaceLevel::Number(default))
    }

    /// Whether something leads into a material: cooked ones have no graph.
    pub fn has_graph(&self, row: usize) -> bool {
        let holder = self.holder(row);
        let mut inputs = INPUTS.iter().chain(&[ALL_INPUTS]);
        inputs.any(|input| self.expression_at(holder, input).is_some())
    }

    /// Where the inputs of a material stand: from 5.1 on in an object of their own.
    pub fn holder(&self, row: usize) -> usize {
        self.values.object_at(row, "EditorOnlyData").unwrap_or(row)
    }

    /// Starts to count the expressions that are looked at.
    pub fn begin(&self) {
        self.looked.set(0);
    }

    /// Counts an expression; not when there were too many.
    pub fn look(&self) -> bool {
        self.looked.set(self.looked.get() + 1);
        self.looked.get() <= MOST
    }

    pub fn package(&self) -> &Package {
        self.package
    }

    pub fn parameters(&self) -> &MaterialParameters {
        self.parameters
    }

    /// The name of the parameter that an expression is.
    pub fn parameter(&self, row: usize) -> Option<String> {
        match self.effective.subject(row).value("ParameterName") {
            Answer::Text(name) => Some(name),
            _ => None,
        }
    }

    /// The expression that leads into an input.
    pub fn expression_at(&self, row: usize, input: &str) -> Option<usize> {
        self.values.object_at(row, &format!("{input}.Expression"))
    }

    /// The number that an expression is everywhere.
    pub fn level(&self, row: usize, depth: usize) -> Option<f32> {
        match self.expression(row, 0, depth)? {
            SurfaceLevel::Number(number) => Some(number),
            SurfaceLevel::Channel(_) => None,
        }
    }

    pub fn number(&self, row: usize, property: &str) -> Option<f32> {
        match self.effective.subject(row).value(property) {
            Answer::Number(number) => Some(number.real() as f32),
            Answer::Truth(truth) => Some(f32::from(u8::from(truth))),
            _ => None,
        }
    }

    /// What leads into an input; `None` where nothing does, `Some(None)` for what can't be followed. `channel` is the one
    /// that is wanted of what leads in, unless the input takes one itself.
    fn input(
        &self,
        row: usize,
        input: &str,
        channel: usize,
        depth: usize,
    ) -> Option<Option<SurfaceLevel>> {
        let from = self.expression_at(row, input)?;
        let channel = self.channel_at(row, input).unwrap_or(channel);
        Some(self.expression(from, channel, depth + 1))
    }

    /// The one channel that an input takes: by the number of the output, or by its mask.
    pub fn channel_at(&self, row: usize, input: &str) -> Option<usize> {
        let output = self.number(row, &format!("{input}.OutputIndex")).unwrap_or(0.0) as i32;
        if let 1..=4 = output {
            return Some(output as usize - 1);
        }
        let masked = CHANNELS.map(|channel| {
            let part = self.number(row, &format!("{input}.Mask{channel}"));
            part.is_some_and(|is| is != 0.0)
        });
        match masked.iter().filter(|is| **is).count() {
            1 => masked.iter().position(|is| *is),
            _ => None,
        }
    }

    fn expression(&self, row: usize, channel: usize, depth: usize) -> Option<SurfaceLevel> {
        if depth > DEEPEST || !self.look() {
            return None;
        }
        let class = class_name(self.package, row);
        let only = |input: &str| self.input(row, input, channel, depth).flatten();
        // An input of an operation, or the number that stands in its place.
        let side = |input: &str, number: &str, default: f32| match self
            .input(row, input, channel, depth)
        {
            Some(found) => found,
            None => Some(SurfaceLevel::Number(self.number(row, number).unwrap_or(default))),
        };
        match class.strip_prefix("MaterialExpression")? {
            "Constant" => Some(SurfaceLevel::Number(self.number(row, "R").unwrap_or(0.0))),
            "ScalarParameter" => {
                let set = self.parameter(row).and_then(|name| self.parameters.number(&name));
                let own = || self.number(row, "DefaultValue").unwrap_or(0.0);
                Some(SurfaceLevel::Number(set.unwrap_or_else(own)))
            }
            "TextureSample" => self.texture(row, None, channel),
            name if name.starts_with("TextureSampleParameter") => {
                self.texture(row, self.parameter(row).as_deref(), channel)
            }
            "ComponentMask" => {
                let chosen =
                    CHANNELS.map(|name| self.number(row, name).is_some_and(|it| it != 0.0));
                let inner = chosen.iter().position(|is| *is)?;
                self.expression(self.expression_at(row, "Input")?, inner, depth + 1)
            }
            "Clamp" | "Saturate" | "Reroute" => only("Input"),
            "OneMinus" => Some(only("Input")?.line(-1.0, 1.0)),
            "Multiply" => match (side("A", "ConstA", 0.0)?, side("B", "ConstB", 1.0)?) {
                (SurfaceLevel::Number(factor), other) | (other, SurfaceLevel::Number(factor)) => {
                    Some(other.line(factor, 0.0))
                }
                _ => None,
            },
            "Add" => match (side("A", "ConstA", 0.0)?, side("B", "ConstB", 1.0)?) {
                (SurfaceLevel::Number(more), other) | (other, SurfaceLevel::Number(more)) => {
                    Some(other.line(1.0, more))
                }
                _ => None,
            },
            "LinearInterpolate" => {
                let ends = (side("A", "ConstA", 0.0)?, side("B", "ConstB", 1.0)?);
                let share = side("Alpha", "ConstAlpha", 0.5)?;
                match (ends, share) {
                    ((SurfaceLevel::Number(from), SurfaceLevel::Number(to)), share) => {
                        Some(share.line(to - from, from))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A channel of the texture of an expression, or of its parameter.
    fn texture(&self, row: usize, parameter: Option<&str>, channel: usize) -> Option<SurfaceLevel> {
        let set = parameter.and_then(|name| self.parameters.texture(name));
        let texture = match set {
            Some((package, texture)) => ObjectAt::of(package, *texture, self.options)?,
            None => ObjectAt::of(self.package, self.object(row, "Texture")?, self.options)?,
        };
        let kind = texture.package.contents().content_kind(texture.row).ok()?;
        let channel = LevelChannel { texture, channel, scale: 1.0, offset: 0.0 };
        (kind == Some(ContentKind::Texture)).then_some(SurfaceLevel::Channel(channel.into()))
    }

    fn object(&self, row: usize, property: &str) -> Option<PackageIndex> {
        match self.value(row, property)? {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// A value that an expression or material stores.
    pub fn value(&self, row: usize, property: &str) -> Option<Value> {
        self.values.stored_property(row, property).ok()?.value
    }
}
