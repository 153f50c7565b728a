//! Lights of a level.

use std::f64::consts::TAU;

use crate::inspect::{Answer, ObjectSubject, Subject};

/// Units that a step of `LightRadius` is long in UE1 and UE2.
const RADIUS_STEP: f64 = 25.0;
/// Steps of a whole circle or of full brightness in a byte.
const BYTE: f64 = 255.0;
/// Metres of a unit.
const METRES: f64 = 0.01;
/// What a light of UE4 and UE5 without a unit means in candela. C++: `UPointLightComponent::ComputeLightBrightness`.
const UNITLESS: f64 = 16.0 / 10_000.0;

/// A light.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneLight {
    /// How it shines.
    pub shape: LightShape,
    /// Red, green, blue from 0 to 1, of light and not as a screen has them.
    pub color: [f32; 3],
    /// Candela; lux of the sun. UE4 and UE5 say how bright lights are, and one that says no unit is taken as those engines
    /// do. The others know only shares of full brightness: here it gives one lux at half of its radius, or as the sun.
    pub intensity: f32,
    /// How far it shines, units.
    pub radius: Option<f32>,
}

/// How a light shines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightShape {
    /// Everywhere.
    Point,
    /// Along its first axis, from everywhere.
    Sun,
    /// Along its first axis, in a cone: the angles from its middle to where it becomes weaker, and to its end, radians.
    Spot {
        /// Where it becomes weaker.
        inner: f32,
        /// Where it ends.
        outer: f32,
    },
}

fn number(light: &mut ObjectSubject<'_, '_>, property: &str, default: f64) -> f64 {
    match light.value(property) {
        Answer::Number(number) if number.real().is_finite() => number.real(),
        Answer::Choice(number, _) => number as f64,
        _ => default,
    }
}

/// Whether an enum has one of these values.
fn is_one(light: &mut ObjectSubject<'_, '_>, property: &str, names: &[&str], at: &[i128]) -> bool {
    match light.value(property) {
        Answer::Choice(number, name) if name.is_empty() => at.contains(&number),
        Answer::Choice(_, name) => names.contains(&name.as_str()),
        Answer::Text(name) => names.iter().any(|it| name.ends_with(it)),
        Answer::Number(number) => at.iter().any(|it| number.real() == *it as f64),
        _ => false,
    }
}

impl SceneLight {
    /// An actor of UE1 or UE2 that shines; `None` for one that is dark.
    pub(super) fn of_actor(light: &mut ObjectSubject<'_, '_>) -> Option<Self> {
        let brightness = number(light, "LightBrightness", 64.0) / BYTE;
        if brightness <= 0.0 || is_one(light, "LightType", &["LT_None"], &[0]) {
            return None;
        }
        let (hue, whiteness) =
            (number(light, "LightHue", 0.0) / BYTE, number(light, "LightSaturation", 255.0) / BYTE);
        let radius = RADIUS_STEP * (number(light, "LightRadius", 64.0) + 1.0);
        // `ELightEffect`: the cone of `LightCone`, and UE2's sun.
        let shape = match () {
            () if is_one(light, "LightEffect", &["LE_Spotlight", "LE_StaticSpot"], &[12, 8]) => {
                // A byte of a right angle, from the middle.
                let share = 1.0 - number(light, "LightCone", 128.0) / 256.0;
                let outer = share.clamp(0.0, 1.0).acos().clamp(0.01, 1.57) as f32;
                LightShape::Spot { inner: 0.0, outer }
            }
            () if is_one(light, "LightEffect", &["LE_Sunlight"], &[19]) => LightShape::Sun,
            () => LightShape::Point,
        };
        Some(Self::lit(shape, colored(hue, 1.0 - whiteness), brightness, Some(radius)))
    }

    /// A component of UE3 to UE5 of this class; `None` for lights of other kinds, and of values of exposure.
    pub(super) fn of_component(
        light: &mut ObjectSubject<'_, '_>,
        class: &str,
        is_late: bool,
    ) -> Option<Self> {
        let shape = match class {
            _ if class.contains("SpotLight") => {
                let outer = number(light, "OuterConeAngle", 44.0).to_radians();
                let outer = outer.clamp(0.01, 1.57);
                let inner = number(light, "InnerConeAngle", 0.0).to_radians();
                LightShape::Spot {
                    inner: inner.clamp(0.0, outer * 0.999) as f32,
                    outer: outer as f32,
                }
            }
            _ if class.contains("PointLight") => LightShape::Point,
            _ if class.contains("DirectionalLight") => LightShape::Sun,
            _ => return None,
        };
        let channel = |light: &mut ObjectSubject<'_, '_>, name: &str| {
            let stored = number(light, &format!("LightColor.{name}"), BYTE) / BYTE;
            stored.clamp(0.0, 1.0).powf(2.2) as f32
        };
        let mut color = ["R", "G", "B"].map(|name| channel(light, name));
        // A class that is not at hand says no colour.
        if color == [0.0; 3] && !light.stores("LightColor") {
            color = [1.0; 3];
        }
        if !is_late {
            let radius = number(light, "Radius", 1024.0);
            let radius = (shape != LightShape::Sun).then_some(radius);
            return Some(Self::lit(shape, color, number(light, "Brightness", 1.0), radius));
        }
        let default = if shape == LightShape::Sun { 10.0 } else { 5000.0 };
        let stored = number(light, "Intensity", default).max(0.0);
        let intensity = match shape {
            LightShape::Sun => stored,
            _ if is_one(light, "IntensityUnits", &["Candelas"], &[1]) => stored,
            // Into all directions, or into a cone.
            _ if is_one(light, "IntensityUnits", &["Lumens"], &[2]) => match shape {
                LightShape::Spot { outer, .. } => {
                    stored / (TAU * (1.0 - f64::from(outer).cos())).max(1e-3)
                }
                _ => stored / (2.0 * TAU),
            },
            // Of values of exposure files know nothing.
            _ if is_one(light, "IntensityUnits", &["EV"], &[3]) => return None,
            _ => stored * UNITLESS,
        };
        let radius = number(light, "AttenuationRadius", 1000.0) as f32;
        let radius = (shape != LightShape::Sun && radius > 0.0).then_some(radius);
        Some(Self { shape, color, intensity: intensity as f32, radius })
    }

    /// One that knows shares of full brightness.
    fn lit(shape: LightShape, color: [f32; 3], brightness: f64, radius: Option<f64>) -> Self {
        let half = radius.unwrap_or(0.0) * METRES / 2.0;
        let intensity =
            if shape == LightShape::Sun { brightness } else { brightness * half * half };
        let radius = radius.filter(|it| *it > 0.0 && shape != LightShape::Sun);
        let intensity = intensity.clamp(0.0, f64::from(f32::MAX)) as f32;
        Self { shape, color, intensity, radius: radius.map(|it| it as f32) }
    }
}

/// Of a place on the circle of colours and how strong the colour is, both from 0 to 1.
fn colored(hue: f64, strength: f64) -> [f32; 3] {
    [0.0, 4.0, 2.0].map(|third: f64| {
        let along = (hue * 6.0 + third).rem_euclid(6.0);
        let full = ((along - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        (1.0 - strength + strength * full) as f32
    })
}
