//! Keys of bones as a sequence of controls, from 5.2 on: nine curves for each bone.
//!
//! Inferred from files: bones keep the lengths that they have in their skeleton, as those of the earlier forms do. C++: `UAnimationSequencerDataModel`, `UMovieSceneControlRigParameterSection`.

use std::collections::{BTreeSet, HashSet};

use super::animation::{BoneNames, Tracks};
use super::numbers::{VertexElements, rotation_degrees};
use super::shape::Track;
use super::source::{MeshSource, value, value_at};
use crate::error::{Error, Result};
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::{Elements, PropertyList, Value};

/// The end of the name of a bone's control.
const CONTROL: &str = "_CONTROL";

/// How a key goes over to the next one. C++: `ERichCurveInterpMode`.
const CONSTANT: u8 = 1;
const CUBIC: u8 = 2;

/// The tracks of a movie scene.
pub(super) fn of_scene(package: &Package, scene: usize, names: &BoneNames) -> Result<Tracks> {
    let mut found = Tracks::default();
    // A damaged package may list an object many times.
    let (mut tracks, mut sections) = (HashSet::new(), HashSet::new());
    for track in objects(package, scene, "Tracks")? {
        if !tracks.insert(track) {
            continue;
        }
        for section in objects(package, track, "Sections")? {
            if !sections.insert(section) {
                continue;
            }
            let decoded = package.decode(section)?;
            let section = MeshSource::of(package, section, &decoded.body);
            for list in section.lists("TransformParameterNamesAndCurves") {
                let Some(list) = list else { continue };
                let name = match value(package, list, "ParameterName") {
                    Some(Value::Name(name)) => package.name_text(*name),
                    _ => continue,
                };
                let bone = name.strip_suffix(CONTROL).and_then(|name| names.find(name));
                let mut curved = 0;
                found.push(bone, |bone| control(&section, list, bone, &mut curved))?;
                found.curved += curved;
            }
        }
    }
    Ok(found)
}

/// The exports that a property of an export lists.
fn objects(package: &Package, row: usize, name: &str) -> Result<Vec<usize>> {
    let decoded = package.decode(row)?;
    let source = MeshSource::of(package, row, &decoded.body);
    let listed: &[PackageIndex] = match source.value(name) {
        Some(Value::Array(Elements::Object(all))) => all,
        _ => &[],
    };
    Ok(listed.iter().filter_map(|index| Value::Object(*index).export()).collect())
}

/// The frames of the keys of three curves, from 0 on: what lies before is the value at 0. A key that stays as it is until
/// the next one has a frame right before that one.
fn times_of(curves: &[ControlCurve<'_>; 3]) -> BTreeSet<i32> {
    let mut times: BTreeSet<i32> = curves.iter().flat_map(|curve| curve.times).copied().collect();
    for curve in curves {
        for (key, pair) in curve.times.windows(2).enumerate() {
            if curve.interpolation(key) == CONSTANT && curve.value(key) != curve.value(key + 1) {
                times.insert(pair[1].saturating_sub(1));
            }
        }
    }
    if times.first().is_some_and(|time| *time < 0) {
        times.insert(0);
        times.retain(|time| *time >= 0);
    }
    times
}

fn control(
    source: &MeshSource<'_>,
    list: &PropertyList,
    bone: usize,
    curved: &mut usize,
) -> Result<Track> {
    let mut part = |name: &str, default: f32| -> Result<Vec<(f32, [f32; 3])>> {
        let curves = ControlCurve::three(source, list, name, default)?;
        let times = times_of(&curves);
        *curved += curves.iter().map(ControlCurve::curved).sum::<usize>();
        let rate = curves.iter().map(|curve| curve.rate).fold(0.0, f64::max);
        let at = |time: i32| curves.each_ref().map(|curve| curve.at(time));
        if times.is_empty() {
            return Ok(vec![(0.0, at(0))]);
        }
        if rate <= 0.0 {
            return Err(Error::invalid("its curves have no frame rate"));
        }
        Ok(times.into_iter().map(|time| ((f64::from(time) / rate) as f32, at(time))).collect())
    };
    let translations = part("Translation", 0.0)?;
    let turns = part("Rotation", 0.0)?;
    let scales = part("Scale", 1.0)?;
    // Roll, pitch, yaw.
    let turn = |[roll, pitch, yaw]: [f32; 3]| rotation_degrees(pitch, yaw, roll);
    let rotations = turns.into_iter().map(|(time, angles)| (time, turn(angles))).collect();
    Ok(Track { bone, translations, rotations, scales })
}

/// A curve: times in frames, and a value for each (spec: ue4-5/09 §12). C++: `FMovieSceneFloatChannel`.
struct ControlCurve<'a> {
    times: &'a [i32],
    /// Of 28 bytes, or of 32 with a wide number: value, tangents of arriving and leaving, their weights, a word that
    /// says which weights count, how it goes over to the next key.
    keys: VertexElements<'a>,
    wide: bool,
    default: f32,
    /// Frames in a second.
    rate: f64,
}

impl<'a> ControlCurve<'a> {
    /// The three curves of a property that is a fixed array.
    fn three(
        source: &MeshSource<'a>,
        list: &'a PropertyList,
        name: &str,
        default: f32,
    ) -> Result<[Self; 3]> {
        let curve = |element| match value_at(source.package, list, name, element) {
            Some(stored) => Self::of(source, stored, default),
            None => Ok(Self::constant(default)),
        };
        Ok([curve(0)?, curve(1)?, curve(2)?])
    }

    fn constant(default: f32) -> Self {
        Self { times: &[], keys: VertexElements::EMPTY, wide: false, default, rate: 0.0 }
    }

    fn of(source: &MeshSource<'a>, stored: &'a Value, default: f32) -> Result<Self> {
        let unknown = || Error::invalid("a curve of a bone has an unknown form");
        let Value::Fields(fields) = stored else { return Err(unknown()) };
        let [
            _before,
            _after,
            _,
            Value::Array(times),
            Value::UInt32(size),
            _,
            Value::Keys(keys),
            value,
            Value::UInt32(has_default),
            Value::Int(numerator),
            Value::Int(denominator),
            ..,
        ] = fields.as_slice()
        else {
            return Err(unknown());
        };
        let Elements::Int(times) = times else { return Err(unknown()) };
        let wide = match (size, value) {
            (28, Value::Float(_)) => false,
            (32, Value::Double(_)) => true,
            _ => return Err(unknown()),
        };
        let keys = VertexElements::new(keys.bytes(source.package.source())?, *size as usize)?;
        if keys.len() != times.len() || !times.is_sorted() {
            return Err(Error::invalid("the times of a curve of a bone do not fit its keys"));
        }
        let stored = match value {
            Value::Float(number) => *number,
            Value::Double(number) => *number as f32,
            _ => default,
        };
        Ok(Self {
            times,
            keys,
            wide,
            default: if *has_default != 0 { stored } else { default },
            rate: f64::from(*numerator) / f64::from((*denominator).max(1)),
        })
    }

    fn value(&self, key: usize) -> f32 {
        self.keys.get(key).map_or(self.default, |key| match self.wide {
            true => key.f64(0) as f32,
            false => key.f32(0),
        })
    }

    fn interpolation(&self, key: usize) -> u8 {
        self.keys.get(key).map_or(0, |key| key.u8(if self.wide { 28 } else { 24 }))
    }

    /// Keys more than a frame before the next one that go over to it in a curve.
    fn curved(&self) -> usize {
        let far = self.times.windows(2).enumerate().filter(|(key, pair)| {
            self.interpolation(*key) == CUBIC && i64::from(pair[1]) - i64::from(pair[0]) > 1
        });
        // The slopes at its ends stand behind its value.
        let slope = |key: usize, at: usize| {
            let behind = if self.wide { 8 } else { 4 };
            self.keys.get(key).map_or(0.0, |key| key.f32(behind + at * 4))
        };
        let is_curve = |key: usize| {
            self.value(key) != self.value(key + 1)
                || slope(key, 1) != 0.0
                || slope(key + 1, 0) != 0.0
        };
        far.filter(|(key, _)| is_curve(*key)).count()
    }

    /// The value at a frame; between keys on a straight line.
    fn at(&self, time: i32) -> f32 {
        if self.times.is_empty() {
            return self.default;
        }
        let after = self.times.partition_point(|known| *known <= time);
        let Some(before) = after.checked_sub(1) else { return self.value(0) };
        if after == self.times.len() || self.interpolation(before) == CONSTANT {
            return self.value(before);
        }
        let (from, to) = (f64::from(self.times[before]), f64::from(self.times[after]));
        let (low, high) = (f64::from(self.value(before)), f64::from(self.value(after)));
        (low + (high - low) * (f64::from(time) - from) / (to - from)) as f32
    }
}
