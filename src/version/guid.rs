//! Globally unique identifiers: of files, and of custom versions.

use std::fmt;
use std::sync::OnceLock;

/// The source of new GUIDs instead of the system.
static SOURCE: OnceLock<fn() -> [u32; 4]> = OnceLock::new();

/// Four 32-bit numbers, each in the byte order of the file.
///
/// Its text is 32 upper-case hexadecimal digits without dashes, as in cache file names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Guid {
    /// First number.
    pub a: u32,
    /// Second number.
    pub b: u32,
    /// Third number.
    pub c: u32,
    /// Fourth number.
    pub d: u32,
}

impl Guid {
    /// A GUID of these four numbers.
    #[inline]
    pub const fn new(a: u32, b: u32, c: u32, d: u32) -> Self {
        Self { a, b, c, d }
    }

    /// Whether all numbers are zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// A new one that no other file has, drawn from the system's randomness and the time, or from the source
    /// that [`Guid::set_random_source`] has given.
    pub fn random() -> Self {
        use std::hash::{BuildHasher, RandomState};
        if let Some(source) = SOURCE.get() {
            let [a, b, c, d] = source();
            return Self::new(a, b, c, d);
        }
        let time = nanoseconds();
        let (high, low) = (RandomState::new().hash_one(time), RandomState::new().hash_one(!time));
        Self::new((high >> 32) as u32, high as u32, (low >> 32) as u32, low as u32)
    }

    /// Draws new GUIDs from this source: for programs on `wasm32-unknown-unknown`, where the standard library has
    /// neither a clock nor randomness. The first call counts; false if there was one before.
    ///
    /// ```standalone_crate
    /// use farchive::Guid;
    ///
    /// assert!(Guid::set_random_source(|| [1, 2, 3, 4]));
    /// assert_eq!(Guid::random(), Guid::new(1, 2, 3, 4));
    /// assert!(!Guid::set_random_source(|| [0; 4]));
    /// ```
    #[inline]
    pub fn set_random_source(source: fn() -> [u32; 4]) -> bool {
        SOURCE.set(source).is_ok()
    }
}

/// The time since 1970; zero where asking for it would panic.
fn nanoseconds() -> u128 {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return 0;
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos())
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08X}{:08X}{:08X}{:08X}", self.a, self.b, self.c, self.d)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guid({self})")
    }
}
