//! The colour of a material that shows no picture, as its graph says it.

use super::material_level::{CHANNELS, DEEPEST, LevelReader};
use super::source::class_name;
use crate::property::Value;

/// Inputs with a base colour, of UE4 and UE5 and of UE3.
const INPUTS: [&str; 2] = ["BaseColor", "DiffuseColor"];

impl LevelReader<'_> {
    /// Red, green and blue of light that leads into the base colour of a material; `None` where pictures do, and for what
    /// is computed of more than colours and numbers.
    pub fn color_of_material(&self, row: usize) -> Option<[f32; 3]> {
        self.begin();
        let holder = self.holder(row);
        INPUTS.iter().find_map(|input| {
            if self.expression_at(holder, input).is_some() {
                return self.color_into(holder, input, 0);
            }
            let is_used = self.number(holder, &format!("{input}.UseConstant"))? != 0.0;
            let part = |channel| self.number(holder, &format!("{input}.Constant.{channel}"));
            is_used.then_some(())?;
            let color = [part("R")?, part("G")?, part("B")?];
            // Before 5.6 a constant is a colour of bytes, as a screen has it.
            let constant = self.value(holder, &format!("{input}.Constant"));
            Some(match constant {
                Some(Value::Color(_)) => color.map(|part| (part / 255.0).powf(2.2)),
                _ => color,
            })
        })
    }

    /// The colour that leads into an input, or one channel of it as grey.
    fn color_into(&self, row: usize, input: &str, depth: usize) -> Option<[f32; 3]> {
        let color = self.color(self.expression_at(row, input)?, depth)?;
        match self.channel_at(row, input) {
            Some(channel) => color.get(channel).map(|part| [*part; 3]),
            None => Some(color),
        }
    }

    fn color(&self, row: usize, depth: usize) -> Option<[f32; 3]> {
        if depth > DEEPEST || !self.look() {
            return None;
        }
        let class = class_name(self.package(), row);
        let only = |input: &str| self.color_into(row, input, depth + 1);
        let side = |input: &str, number: &str, default: f32| match self.expression_at(row, input) {
            Some(_) => self.color_into(row, input, depth + 1),
            None => Some([self.number(row, number).unwrap_or(default); 3]),
        };
        let part = |of: &str| {
            let [r, g, b, _] = CHANNELS.map(|channel| self.number(row, &format!("{of}{channel}")));
            Some([r?, g?, b?])
        };
        match class.strip_prefix("MaterialExpression")? {
            "Constant3Vector" | "Constant4Vector" => part("Constant.").or_else(|| part("")),
            "VectorParameter" => {
                let set = self.parameter(row).and_then(|name| self.parameters().color(&name));
                set.or_else(|| part("DefaultValue."))
            }
            "Constant" | "ScalarParameter" => self.level(row, depth).map(|level| [level; 3]),
            "Clamp" | "Saturate" | "Reroute" => only("Input"),
            "OneMinus" => only("Input").map(|color| color.map(|part| 1.0 - part)),
            "Multiply" => {
                let (a, b) = (side("A", "ConstA", 0.0)?, side("B", "ConstB", 1.0)?);
                Some([0, 1, 2].map(|at| a[at] * b[at]))
            }
            "Add" => {
                let (a, b) = (side("A", "ConstA", 0.0)?, side("B", "ConstB", 1.0)?);
                Some([0, 1, 2].map(|at| a[at] + b[at]))
            }
            "LinearInterpolate" => {
                let (a, b) = (side("A", "ConstA", 0.0)?, side("B", "ConstB", 1.0)?);
                let share = side("Alpha", "ConstAlpha", 0.5)?;
                Some([0, 1, 2].map(|at| a[at] + (b[at] - a[at]) * share[at]))
            }
            _ => None,
        }
    }
}
