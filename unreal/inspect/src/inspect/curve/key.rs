//! Keys of curves.

/// A value over time.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Curve {
    /// The path of it within the object: `FloatCurve`, `FloatCurves[1]`, `ConstantCurve.X`; of a table its row.
    pub path: String,
    /// The keys, in stored order.
    pub keys: Vec<CurveKey>,
}

/// A value at a point in time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurveKey {
    /// When: seconds, or whatever the curve is over.
    pub time: f64,
    /// The value there.
    pub value: f64,
    /// How values go on from there to the next key.
    pub interpolation: CurveInterpolation,
    /// The slope at which the curve arrives, value a unit of time.
    pub arrive: f64,
    /// The slope at which it leaves.
    pub leave: f64,
}

/// How the values between two keys are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CurveInterpolation {
    /// A straight line.
    #[default]
    Linear,
    /// The value of the key before.
    Constant,
    /// A cubic curve by the slopes of both.
    Cubic,
    /// None.
    None,
}

impl CurveInterpolation {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Constant => "constant",
            Self::Cubic => "cubic",
            Self::None => "none",
        }
    }

    /// Of `ERichCurveInterpMode` (`RCIM_Cubic`) or `EInterpCurveMode` (`CIM_CurveAuto`), by name.
    pub(super) fn of_name(name: &str) -> Self {
        match name.rsplit([':', '_']).next().unwrap_or_default() {
            "Constant" => Self::Constant,
            "Cubic" | "CurveAuto" | "CurveUser" | "CurveBreak" | "CurveAutoClamped" => Self::Cubic,
            "None" => Self::None,
            _ => Self::Linear,
        }
    }

    /// Of the number that a key of a rich curve has for it.
    pub(super) fn of_rich(number: i64) -> Self {
        match number {
            0 => Self::Linear,
            1 => Self::Constant,
            2 => Self::Cubic,
            _ => Self::None,
        }
    }

    /// Of the number that a point of an `InterpCurve` has for it.
    pub(super) fn of_point(number: i64) -> Self {
        match number {
            0 => Self::Linear,
            2 => Self::Constant,
            _ => Self::Cubic,
        }
    }
}
