//! Values that stand in no package, compared as those of packages are.

use std::sync::Arc;

use super::Difference;
use super::records::{SerializedValue, compare, written};
use crate::archive::{Context, Object};
use crate::version::Versions;

/// A value as the fields that comparing looks at: all that saving keeps. What saving makes anew has none.
///
/// ```
/// use std::sync::Arc;
///
/// use unreal_packages::archive::Context;
/// use unreal_packages::compare::ComparedValue;
/// use unreal_packages::table::Generation;
/// use unreal_packages::{UnrealVersions, Versions};
///
/// let (versions, context) = (Versions::ue1_to_3(69, 0), Arc::new(Context::default()));
/// let of = |name_count| {
///     let mut value = Generation { name_count, ..Generation::default() };
///     ComparedValue::new(&mut value, &versions, &context)
/// };
/// assert_eq!(of(7).differences(&of(8))[0].to_string(), "name_count: 7 -> 8");
/// ```
#[derive(Debug)]
pub struct ComparedValue(SerializedValue);

impl ComparedValue {
    /// The fields of a value as these versions store it; what can't be stored has none.
    pub fn new(value: &mut dyn Object, versions: &Versions, context: &Arc<Context>) -> Self {
        Self(written(|ar| value.serialize_dyn(ar), versions, context))
    }

    /// Each field with its text, as [`canonical`](super::canonical) shows it.
    pub fn texts(&self) -> Vec<(String, String)> {
        self.0.texts(|_| false).collect()
    }

    /// The differences of another value, as [`diff`](super::diff) shows them.
    pub fn differences(&self, new: &Self) -> Vec<Difference> {
        let (fields, data) = compare(&self.0, &new.0, |_| false);
        fields.into_iter().map(Difference::Field).chain(data).collect()
    }
}
