//! Curves from properties.

use super::key::{Curve, CurveInterpolation, CurveKey};
use crate::archive::Context;
use crate::package::Package;
use crate::property::{Elements, PropertyList, Value, fields_of};

/// Structs within structs are followed this far.
const DEEPEST: usize = 8;
/// Names of the parts of a vector, and of a colour.
const PARTS: [[&str; 4]; 2] = [["X", "Y", "Z", "W"], ["R", "G", "B", "A"]];
/// The first two numbers of a lookup table of UE3: the least and the greatest of the others.
const RANGE: usize = 2;

/// Collects the curves of an object.
pub(super) struct CurveReader<'a> {
    package: &'a Package,
    context: &'a Context,
    pub curves: Vec<Curve>,
    depth: usize,
}

impl<'a> CurveReader<'a> {
    pub fn new(package: &'a Package, context: &'a Context) -> Self {
        Self { package, context, curves: Vec::new(), depth: 0 }
    }

    /// The curves of the properties of a list, whose path is `outer`.
    pub fn add_properties(&mut self, outer: &str, list: &PropertyList) {
        if self.depth == DEEPEST {
            return;
        }
        self.depth += 1;
        for property in &list.properties {
            let name = property.name_text(|name| self.package.name_text(name));
            let mut path = match outer {
                "" => name.into_owned(),
                outer => format!("{outer}.{name}"),
            };
            if property.array_index() > 0 {
                path = format!("{path}[{}]", property.array_index());
            }
            self.add_value(&path, property.value());
        }
        self.depth -= 1;
    }

    fn add_value(&mut self, path: &str, value: &Value) {
        match value {
            Value::List(list) => self.add_list(path, list),
            value => {
                for (number, element) in elements(value).iter().enumerate() {
                    if let Value::List(list) = element {
                        self.add_list(&format!("{path}[{number}]"), list);
                    }
                }
            }
        }
    }

    /// The curve that a struct is, or those within it.
    pub fn add_list(&mut self, path: &str, list: &PropertyList) {
        let before = self.curves.len();
        if let Some(keys) = list.value("Keys", self.context) {
            self.add_keys(path, list, keys);
        } else if let Some(points) = list.value("Points", self.context) {
            self.add_points(path, points);
        } else if let Some(table) = list.value("LookupTable", self.context) {
            self.add_table(
                path,
                list,
                ["LookupTableStartTime", "LookupTableTimeScale"],
                table,
                RANGE,
            );
        } else if let Some(values) = list.value("Values", self.context) {
            self.add_table(path, list, ["TimeBias", "TimeScale"], values, 0);
        }
        if self.curves.len() == before {
            self.add_properties(path, list);
        }
    }

    /// Keys of a rich curve, or of a simple one, which has one interpolation for all.
    fn add_keys(&mut self, path: &str, list: &PropertyList, keys: &Value) {
        let mode = list.value("InterpMode", self.context);
        let mode = mode.map(|mode| self.interpolation(mode, CurveInterpolation::of_rich));
        let mut found = Vec::new();
        for key in elements_of(keys).iter() {
            found.extend(match key {
                Value::List(list) => self.key_of_list(list),
                key => self.key_of_fields(&fields_of(key).unwrap_or_default(), mode),
            });
        }
        if !found.is_empty() {
            self.curves.push(Curve { path: path.to_owned(), keys: found });
        }
    }

    fn key_of_fields(
        &self,
        fields: &[Value],
        mode: Option<CurveInterpolation>,
    ) -> Option<CurveKey> {
        let real = |at: usize| fields.get(at).and_then(number);
        if fields.len() == 2 {
            let (time, value) = (real(0)?, real(1)?);
            return Some(CurveKey {
                time,
                value,
                interpolation: mode.unwrap_or_default(),
                ..CurveKey::default()
            });
        }
        let interpolation = self.interpolation(fields.first()?, CurveInterpolation::of_rich);
        let (arrive, leave) = (real(5).unwrap_or_default(), real(7).unwrap_or_default());
        Some(CurveKey { time: real(3)?, value: real(4)?, interpolation, arrive, leave })
    }

    /// A key with tags; what is not stored is zero.
    fn key_of_list(&self, list: &PropertyList) -> Option<CurveKey> {
        let real = |name: &str| match list.value(name, self.context) {
            Some(value) => number(value),
            None => Some(0.0),
        };
        let mode = list.value("InterpMode", self.context);
        Some(CurveKey {
            time: real("Time")?,
            value: real("Value")?,
            interpolation: mode
                .map(|mode| self.interpolation(mode, CurveInterpolation::of_rich))
                .unwrap_or_default(),
            arrive: real("ArriveTangent")?,
            leave: real("LeaveTangent")?,
        })
    }

    /// Points of an `InterpCurve`, of numbers, vectors or colours.
    fn add_points(&mut self, path: &str, points: &Value) {
        let points = elements_of(points);
        let lists: Vec<_> = points.iter().filter_map(Value::as_list).collect();
        let parts = lists.iter().map(|list| self.parts(list, "OutVal").len()).max().unwrap_or(0);
        let is_color = lists.iter().any(|list| {
            let value = list.value("OutVal", self.context);
            matches!(value, Some(Value::Color(_)) | Some(Value::Float4(_)))
        });
        // A value of zero is not stored, so that none may have parts.
        for part in 0..parts.max(usize::from(!lists.is_empty())) {
            let key = |list: &&PropertyList| {
                let at = |name: &str| self.parts(list, name).get(part).copied().unwrap_or_default();
                let mode = list.value("InterpMode", self.context);
                let mode = mode.map(|mode| self.interpolation(mode, CurveInterpolation::of_point));
                CurveKey {
                    time: list.value("InVal", self.context).and_then(number).unwrap_or_default(),
                    value: at("OutVal"),
                    interpolation: mode.unwrap_or_default(),
                    arrive: at("ArriveTangent"),
                    leave: at("LeaveTangent"),
                }
            };
            let keys = lists.iter().map(key).collect();
            let path = match parts {
                0 | 1 => path.to_owned(),
                _ => format!("{path}.{}", PARTS[usize::from(is_color)].get(part).unwrap_or(&"?")),
            };
            self.curves.push(Curve { path, keys });
        }
    }

    /// The numbers of a value: one, or the parts of a vector.
    fn parts(&self, list: &PropertyList, name: &str) -> Vec<f64> {
        let Some(value) = list.value(name, self.context) else { return Vec::new() };
        if let Some(number) = number(value) {
            return vec![number];
        }
        if let Value::List(fields) = value {
            let parts = PARTS.iter().map(|names| {
                let part = |name: &&str| fields.value(name, self.context).and_then(number);
                names.iter().map(part).collect::<Vec<_>>()
            });
            let Some(parts) = parts.max_by_key(|parts| parts.iter().flatten().count()) else {
                return Vec::new();
            };
            return parts.into_iter().map(Option::unwrap_or_default).collect();
        }
        let mut parts: Vec<_> =
            fields_of(value).unwrap_or_default().iter().filter_map(number).collect();
        parts.truncate(PARTS[0].len());
        parts
    }

    /// A table of values at even distances, with which the engine looks a distribution up.
    fn add_table(
        &mut self,
        path: &str,
        list: &PropertyList,
        [start, scale]: [&str; 2],
        table: &Value,
        skipped: usize,
    ) {
        let real = |name: &str| list.value(name, self.context).and_then(number);
        let values: Vec<f64> = match table {
            Value::Array(Elements::Float(values)) => {
                values.iter().copied().map(f64::from).collect()
            }
            Value::Array(Elements::Double(values)) => values.clone(),
            _ => return,
        };
        let stride = ["LookupTableChunkSize", "EntryStride"].iter().find_map(|name| {
            match list.value(name, self.context) {
                Some(Value::Byte(stride)) => Some(usize::from(*stride)),
                _ => None,
            }
        });
        let stride = stride.unwrap_or(1).max(1);
        let (start, scale) = (real(start).unwrap_or_default(), real(scale).unwrap_or_default());
        let values = values.get(skipped..).unwrap_or_default();
        // Without a scale all values are one.
        let step = if scale > 0.0 { 1.0 / scale } else { 1.0 };
        for part in 0..stride.min(values.len()) {
            let key = |(at, entry): (usize, &[f64])| {
                let value = *entry.get(part)?;
                Some(CurveKey { time: start + at as f64 * step, value, ..CurveKey::default() })
            };
            let keys: Vec<_> = values.chunks(stride).enumerate().filter_map(key).collect();
            let path = match stride {
                1 => path.to_owned(),
                _ => format!("{path}[{part}]"),
            };
            self.curves.push(Curve { path, keys });
        }
    }

    fn interpolation(
        &self,
        value: &Value,
        of_number: fn(i64) -> CurveInterpolation,
    ) -> CurveInterpolation {
        match value {
            Value::Byte(number) => of_number((*number).into()),
            Value::Int(number) => of_number((*number).into()),
            Value::Name(name) => CurveInterpolation::of_name(&self.package.name_text(*name)),
            _ => CurveInterpolation::default(),
        }
    }
}

/// A number that is one.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Float(number) => f64::from(*number),
        Value::Double(number) => *number,
        Value::Int(number) => f64::from(*number),
        Value::Byte(number) => f64::from(*number),
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// The elements of an array of structs; none of any other value.
fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Array(Elements::Values(values)) => values,
        Value::StructArray(structs) => match &structs.elements {
            Elements::Values(values) => values,
            _ => &[],
        },
        _ => &[],
    }
}

/// The same with pairs of numbers among them, as keys of simple curves are.
fn elements_of(value: &Value) -> std::borrow::Cow<'_, [Value]> {
    let structs = match value {
        Value::Array(elements) => elements,
        Value::StructArray(structs) => &structs.elements,
        _ => return (&[][..]).into(),
    };
    match structs {
        Elements::Values(values) => values.as_slice().into(),
        Elements::Float2(pairs) => {
            pairs.iter().copied().map(Value::Float2).collect::<Vec<_>>().into()
        }
        _ => (&[][..]).into(),
    }
}
