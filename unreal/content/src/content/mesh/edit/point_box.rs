//! Boxes around points.

/// The lowest and the highest corner of a box around nothing, which any point widens.
pub(super) const NO_POINTS: ([f32; 3], [f32; 3]) = ([f32::MAX; 3], [f32::MIN; 3]);

/// Widens a box by points.
pub(super) fn widen(
    min: &mut [f32; 3],
    max: &mut [f32; 3],
    points: impl IntoIterator<Item = [f32; 3]>,
) {
    for v in points {
        for axis in 0..3 {
            min[axis] = min[axis].min(v[axis]);
            max[axis] = max[axis].max(v[axis]);
        }
    }
}
