//! Places and rotators that are mirrored and turned.
//!
//! A rotator turns about X by its roll, then about Y by its pitch, then about Z by its yaw (C++: `FRotationMatrix`), in
//! every engine. So turning by a yaw alone adds to the yaw, and nothing is rounded.

use super::motion::MirrorAxis;

/// Pitch, yaw and roll, in parts of a turn that the version has.
pub(super) type Rotator = [f64; 3];
pub(super) type Vector = [f64; 3];
/// Columns are the axes: a place in the object's own terms becomes one of the world.
type Matrix = [[f64; 3]; 3];

/// The linear part of a motion: mirrored first, then turned.
#[derive(Debug, Clone)]
pub(super) struct Turning {
    mirror: Option<MirrorAxis>,
    rotation: Rotator,
    /// So many are a turn: 65536, or 360 degrees.
    full: f64,
    turned: Matrix,
}

impl Turning {
    pub fn new(mirror: Option<MirrorAxis>, rotation: Rotator, full: f64) -> Self {
        let turned = matrix(rotation, full);
        Self { mirror, rotation, full, turned }
    }

    pub fn mirror(&self) -> Option<MirrorAxis> {
        self.mirror
    }

    /// Whether it turns about Z alone, or not at all.
    pub fn is_level(&self) -> bool {
        let [pitch, _, roll] = self.rotation;
        pitch == 0.0 && roll == 0.0
    }

    pub fn is_turned(&self) -> bool {
        self.rotation != [0.0; 3]
    }

    /// A direction, or a distance along the axes.
    pub fn direction(&self, vector: Vector) -> Vector {
        let mut vector = vector;
        if let Some(axis) = self.mirror {
            vector[axis.number()] *= -1.0;
        }
        // No zero has a sign.
        times(&self.turned, vector).map(|number| number + 0.0)
    }

    pub fn place(&self, place: Vector, pivot: Vector) -> Vector {
        let at = |axis| place[axis] - pivot[axis];
        let turned = self.direction([at(0), at(1), at(2)]);
        [0, 1, 2].map(|axis| pivot[axis] + turned[axis])
    }

    /// The rotator of what stands mirrored and turned: in front stays in front. Its own Y, or Z where it is mirrored
    /// along Z, is to be mirrored beside that ([`Turning::mirrored_axis`]).
    pub fn rotator(&self, rotator: Rotator) -> Rotator {
        self.turn(self.mirrored(rotator, true))
    }

    /// The same without what a scale of the world's axes does already.
    pub fn turn(&self, rotator: Rotator) -> Rotator {
        let [pitch, yaw, roll] = rotator;
        if self.is_level() {
            return [pitch, self.wrapped(yaw + self.rotation[1]), roll];
        }
        let both = product(&self.turned, &matrix(rotator, self.full));
        rotator_of(&both, self.full)
    }

    /// A rotator that is added to another one.
    pub fn difference(&self, rotator: Rotator) -> Rotator {
        self.mirrored(rotator, false)
    }

    /// The axis of the object itself along which its shape is mirrored.
    pub fn mirrored_axis(&self) -> Option<usize> {
        self.mirror.map(|axis| if axis == MirrorAxis::Z { 2 } else { 1 })
    }

    fn mirrored(&self, [pitch, yaw, roll]: Rotator, is_whole: bool) -> Rotator {
        let half = if is_whole { self.full / 2.0 } else { 0.0 };
        match self.mirror {
            None => [pitch, yaw, roll],
            Some(MirrorAxis::X) => [pitch, self.wrapped(half - yaw), -roll + 0.0],
            Some(MirrorAxis::Y) => [pitch, -yaw + 0.0, -roll + 0.0],
            Some(MirrorAxis::Z) => [-pitch + 0.0, yaw, -roll + 0.0],
        }
    }

    /// Scales along the axes of the world that stand outside of a rotation (UE1), turned; `None` where they would no
    /// longer lie along the axes.
    pub fn outer_scale(&self, scale: Vector) -> Option<Vector> {
        let mut mirrored = scale;
        if let Some(axis) = self.mirror {
            mirrored[axis.number()] *= -1.0;
        }
        let mut scaled = self.turned;
        for row in &mut scaled {
            for (number, scale) in row.iter_mut().zip(mirrored) {
                *number *= scale;
            }
        }
        let mut back = self.turned;
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            (back[row][column], back[column][row]) = (back[column][row], back[row][column]);
        }
        let whole = product(&scaled, &back);
        let largest = scale.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
        let along = (0..3).all(|row| {
            (0..3).all(|column| row == column || whole[row][column].abs() <= largest * 1e-9)
        });
        along.then(|| [0, 1, 2].map(|axis| whole[axis][axis] + 0.0))
    }

    /// An angle that has left one turn comes back into it.
    fn wrapped(&self, angle: f64) -> f64 {
        let half = self.full / 2.0;
        match angle.abs() > half {
            true => {
                let rest = angle.rem_euclid(self.full);
                if rest > half { rest - self.full } else { rest }
            }
            false => angle + 0.0,
        }
    }
}

/// Sine and cosine, exact for quarters of a turn.
fn sine_and_cosine(angle: f64, full: f64) -> (f64, f64) {
    let quarters = angle / full * 4.0;
    if quarters.fract() == 0.0 {
        return match quarters.rem_euclid(4.0) as u8 {
            0 => (0.0, 1.0),
            1 => (1.0, 0.0),
            2 => (0.0, -1.0),
            _ => (-1.0, 0.0),
        };
    }
    (angle / full * std::f64::consts::TAU).sin_cos()
}

fn matrix([pitch, yaw, roll]: Rotator, full: f64) -> Matrix {
    let [(sp, cp), (sy, cy), (sr, cr)] =
        [pitch, yaw, roll].map(|angle| sine_and_cosine(angle, full));
    let [x, y, z] = [
        [cp * cy, cp * sy, sp],
        [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp],
        [-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp],
    ];
    [0, 1, 2].map(|row| [x[row], y[row], z[row]])
}

fn rotator_of(matrix: &Matrix, full: f64) -> Rotator {
    let axis = |column: usize| [0, 1, 2].map(|row| matrix[row][column]);
    let (x, y, z) = (axis(0), axis(1), axis(2));
    let parts = full / std::f64::consts::TAU;
    let pitch = x[2].atan2(x[0].hypot(x[1])) * parts;
    let yaw = x[1].atan2(x[0]) * parts;
    // What it would be without a roll.
    let level = matrix_column(&self::matrix([pitch, yaw, 0.0], full), 1);
    let roll = dot(z, level).atan2(dot(y, level)) * parts;
    [pitch, yaw, roll].map(|angle| angle + 0.0)
}

fn matrix_column(matrix: &Matrix, column: usize) -> Vector {
    [0, 1, 2].map(|row| matrix[row][column])
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn times(matrix: &Matrix, vector: Vector) -> Vector {
    [0, 1, 2].map(|row| dot(matrix[row], vector))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2].map(|row| [0, 1, 2].map(|column| dot(a[row], matrix_column(b, column))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROTATORS: [Rotator; 5] = [
        [0.0, 0.0, 0.0],
        [0.0, 16384.0, 0.0],
        [1000.0, -20000.0, 333.0],
        [16384.0, 700.0, 0.0],
        [-9000.0, 40000.0, 21000.0],
    ];
    const AXES: [Option<MirrorAxis>; 4] =
        [None, Some(MirrorAxis::X), Some(MirrorAxis::Y), Some(MirrorAxis::Z)];

    fn is_close(a: &Matrix, b: &Matrix) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    /// A place of the shape comes to the same place of the world whether the shape is turned and mirrored with its
    /// object or by itself.
    #[test]
    fn rotators_and_shapes_are_turned_as_places_are() {
        for full in [65536.0, 360.0] {
            let scaled = |rotator: Rotator| rotator.map(|angle| angle / 65536.0 * full);
            for rotator in ROTATORS.map(scaled) {
                assert!(is_close(
                    &matrix(rotator_of(&matrix(rotator, full), full), full),
                    &matrix(rotator, full)
                ));
                for (mirror, by) in AXES.iter().flat_map(|axis| ROTATORS.map(|by| (*axis, by))) {
                    let turning = Turning::new(mirror, scaled(by), full);
                    let mut new = matrix(turning.rotator(rotator), full);
                    if let Some(axis) = turning.mirrored_axis() {
                        new.iter_mut().for_each(|row| row[axis] *= -1.0);
                    }
                    let old = matrix(rotator, full);
                    let columns = [0, 1, 2].map(|at| turning.direction(matrix_column(&old, at)));
                    let expected = [0, 1, 2].map(|row| columns.map(|column| column[row]));
                    assert!(is_close(&new, &expected), "{mirror:?} {by:?} {rotator:?}");
                }
            }
        }
    }

    #[test]
    fn scales_of_the_world_stay_along_its_axes_or_are_none() {
        let quarter = Turning::new(Some(MirrorAxis::X), [0.0, 16384.0, 0.0], 65536.0);
        assert_eq!(quarter.outer_scale([2.0, 3.0, 4.0]), Some([3.0, -2.0, 4.0]));
        let eighth = Turning::new(None, [0.0, 8192.0, 0.0], 65536.0);
        assert_eq!(eighth.outer_scale([2.0, 3.0, 4.0]), None);
        let [x, y, z] = eighth.outer_scale([2.0, 2.0, 4.0]).unwrap();
        assert!((x - 2.0).abs() + (y - 2.0).abs() < 1e-9 && z == 4.0);
    }
}
