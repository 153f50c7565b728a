//! The laws of serialising, as tests of a format of one's own (feature `testing`).
//!
//! ```
//! # use farchive::Archived;
//! #[derive(Archived, Debug, Clone, Default, PartialEq)]
//! struct Save {
//!     level: u32,
//!     #[since(2)]
//!     coins: u16,
//!     names: Vec<String>,
//! }
//!
//! // #[test] fn saves_keep_the_laws()
//! farchive::testing::laws::<Save>();
//! ```
//!
//! It takes bytes, those of the default and changes of them, at each version at which the layout changes, one below and
//! one above, in both byte orders. Whatever loads must keep every law; whatever does not must be an error, not a panic.
//! It takes values too, which the type's own function makes up: [`values`] are a strategy of proptest for tests of one's
//! own. Where special values matter, another strategy joins it: [`Laws::values`].
//!
//! | law | function |
//! |---|---|
//! | what is saved is loaded again, over whatever was there, and saves as it was | [`value`](fn@value) |
//! | saving, counting, collecting and renumbering by the identity leave the value as it was | [`value`](fn@value), [`bytes`](fn@bytes) |
//! | the counted size is the saved one; explanations have each byte once, and the same both ways | [`value`](fn@value), [`bytes`](fn@bytes) |
//! | each cut is an error; a part of another size leaves nothing behind | [`value`](fn@value) |
//! | streams have the bytes, values and errors of memory; a document gives the value back | [`value`](fn@value) |
//! | whatever bytes load save as they were | [`bytes`](fn@bytes), [`changed_bytes`] |
//! | what a version has no place for is refused, and the value stays | [`misfit`] |

mod agreement;
mod known;
mod made;
mod maker;
mod numbers;
mod streams;
mod value;
mod versions;

use std::fmt::Debug;
use std::sync::Arc;

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

pub use agreement::bytes;
pub use known::{IsSame, LawContext, LawResult};
pub use made::values;
pub use value::{Tried, changed_bytes, misfit, value};
pub use versions::versions_around;

use numbers::LawNumbers;

use crate::archive::{Archive, Archived, Context, Loader, Object, Saver, Space};
use crate::error::ErrorKind;
use crate::version::Versions;

/// The laws of `T` at each version at which its layout changes, one below and one above.
///
/// # Panics
/// Where a law is broken: the message says which, by what and at which version.
pub fn laws<T: Archived + Object + Debug + Default + Clone + PartialEq>() {
    Laws::<T>::new().run();
}

/// The laws of a type with what they are tried with: [`laws`] where that is not enough.
#[must_use = "run it"]
pub struct Laws<T> {
    at: Vec<Versions>,
    values: Option<BoxedStrategy<T>>,
    cases: u32,
    known: LawContext,
}

impl<T: Archived + Object + Debug + Default + Clone + PartialEq> Default for Laws<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Debug for Laws<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Laws").field("at", &self.at).finish_non_exhaustive()
    }
}

/// Bytes that are offered behind those of a value.
const OFFERED: usize = 512;
/// Values for bytes that are changed: counts that are small, and that are not.
const ODD: [u8; 8] = [0, 1, 2, 3, 0x40, 0x7f, 0x80, 0xff];

impl<T: Archived + Object + Debug + Default + Clone + PartialEq> Laws<T> {
    /// At the versions of a format of one's own at which the layout changes.
    pub fn new() -> Self {
        let at = versions_around(T::LAYOUT);
        let is_same: IsSame = |one, other| one.downcast_ref::<T>() == other.downcast_ref::<T>();
        let known = LawContext { is_same: Some(is_same), ..LawContext::default() };
        Self { at, values: None, cases: 64, known }
    }

    /// The same at these versions.
    pub fn at(mut self, versions: Vec<Versions>) -> Self {
        self.at = versions;
        self
    }

    /// The same over values of a strategy, beside those that bytes are. One that a version has no place for must be
    /// refused there.
    pub fn values(mut self, values: impl Strategy<Value = T> + 'static) -> Self {
        self.values = Some(values.boxed());
        self
    }

    /// The same with so many changes of bytes, and values, at each version, in place of 64.
    pub fn cases(mut self, cases: u32) -> Self {
        self.cases = cases;
        self
    }

    /// The same with what archives know about the file.
    pub fn context(mut self, context: Arc<Context>) -> Self {
        self.known.context = context;
        self
    }

    /// The same with what references point into: they are renumbered and back.
    pub fn spaces(mut self, spaces: &[&'static Space]) -> Self {
        self.known.spaces = spaces.to_vec();
        self
    }

    /// The same for values that stand at places of their own, with bytes in between that no value has.
    pub fn gaps(mut self) -> Self {
        self.known.has_gaps = true;
        self
    }

    /// Tries them.
    ///
    /// # Panics
    /// Where a law is broken.
    pub fn run(&self) {
        let loaded: u64 = self.at.iter().map(|versions| self.at_version(versions)).sum();
        assert!(
            loaded > 0 || self.values.is_some(),
            "no bytes that were tried are a {}: say values (Laws::values)",
            T::LAYOUT.name()
        );
    }

    /// Tries them at one version; says how many values there were.
    fn at_version(&self, versions: &Versions) -> u64 {
        let fault = |fault: String| -> u64 {
            let (name, order) = (T::LAYOUT.name(), versions.byte_order);
            panic!("{name} at version {versions} {order:?}: {fault}")
        };
        let from_bytes = self.over_bytes(versions).unwrap_or_else(fault);
        let made = self.over_made(versions).unwrap_or_else(fault);
        if let Some(values) = &self.values {
            let law = |(one, other): (T, T)| {
                self.over_value(&one, other, versions).map_err(TestCaseError::fail)
            };
            let result = self.runner(versions).run(&(values.clone(), values.clone()), law);
            result.map_err(|error| error.to_string()).map_or_else(fault, |()| 0);
        }
        from_bytes + made
    }

    /// Values that are made up, those of the last versions at these as well; says how many there were.
    fn over_made(&self, versions: &Versions) -> LawResult<u64> {
        let context = &self.known.context;
        // A file that says its version refuses those that it does not know.
        let is_known = |it: &&Versions| T::default().serialize(&mut self.saver(it)).is_ok();
        let last = self.at.iter().filter(is_known).max_by_key(|it| it.number()).unwrap_or(versions);
        let loaded = std::cell::Cell::new(0);
        let make = |choices: Vec<u32>, of| made::made::<T>(choices, of, context);
        let law = |(one, other): (Vec<u32>, Vec<u32>)| {
            let of = if one.len() % 4 == 3 { last } else { versions };
            let Some((one, bytes)) = make(one, of) else { return Ok(()) };
            let other = make(other, of).map(|(other, _)| other).unwrap_or_default();
            loaded.set(loaded.get() + 1);
            let shown = |fault| TestCaseError::fail(format!("{fault}\n  value {one:?}"));
            // What was made up before it was saved: as bytes, it may be more than what is saved.
            let new = || -> Box<dyn Object> { Box::new(T::default()) };
            self::bytes(&new, Box::new(other.clone()), &bytes, of, &self.known).map_err(shown)?;
            match one.clone().serialize(&mut self.saver(versions)) {
                Ok(()) => self.over_fitting(&one, other, versions).map_err(shown),
                Err(error) if matches!(error.kind(), ErrorKind::NotInVersion) => {
                    misfit(&one, versions, &self.known).map_err(shown)
                }
                // What another version makes of its counts is its own matter.
                Err(_) => Ok(()),
            }
        };
        let result = self.runner(versions).run(&(made::choices(), made::choices()), law);
        match result {
            Ok(()) => Ok(loaded.get()),
            Err(TestError::Fail(reason, _)) => Err(reason.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn runner(&self, versions: &Versions) -> TestRunner {
        let config = Config { cases: self.cases, failure_persistence: None, ..Config::default() };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[versions.number() as u8 | 1; 32]);
        TestRunner::new_with_rng(config, rng)
    }

    /// One value, or that it is refused.
    fn over_value(&self, one: &T, other: T, versions: &Versions) -> LawResult {
        let mut copy = one.clone();
        match copy.serialize(&mut self.saver(versions)) {
            Ok(()) => self.over_fitting(one, other, versions),
            Err(_) => misfit(one, versions, &self.known),
        }
    }

    /// One value that the version has a place for. What people read is for formats of one's own alone, and so is asked
    /// here alone.
    fn over_fitting(&self, one: &T, other: T, versions: &Versions) -> LawResult {
        value(one, other, versions, &self.known)?;
        #[cfg(feature = "json")]
        streams::document(one, versions, &self.known, true)?;
        Ok(())
    }

    fn saver(&self, versions: &Versions) -> Saver {
        Saver::new(versions.clone()).with_context(self.known.context.clone())
    }

    /// The default's bytes and zeros, then changes to them, each kept while the bytes still load.
    fn over_bytes(&self, versions: &Versions) -> LawResult<u64> {
        let mut saver = self.saver(versions);
        let saved = T::default().serialize(&mut saver).is_ok();
        let mut bytes = if saved { saver.into_bytes() } else { Vec::new() };
        let own = bytes.len();
        bytes.resize(own + OFFERED, 0);
        let mut numbers = LawNumbers(u64::from(versions.number()) << 8 | 1);
        let mut before: Box<dyn Object> = Box::new(T::default());
        let (mut loaded, mut used) = (0, None);
        for round in 0..=self.cases {
            let mut changed = bytes.clone();
            let reach = used.unwrap_or(own.max(32)).clamp(1, changed.len());
            for _ in 0..numbers.next(4) * usize::from(round > 0) {
                let at = numbers.next(reach);
                let odd = ODD.get(numbers.next(ODD.len() * 2)).copied();
                if let Some(byte) = changed.get_mut(at) {
                    *byte = odd.unwrap_or(numbers.next(256) as u8);
                }
            }
            let make = || -> Box<dyn Object> { Box::new(T::default()) };
            let shown = || format!("{:x?}", changed.get(..reach.min(96)).unwrap_or_default());
            let outcome = self::bytes(&make, before.clone(), &changed, versions, &self.known)
                .map_err(|fault| format!("{fault}\n  bytes {}", shown()))?;
            let Some(length) = outcome else { continue };
            loaded += 1;
            let mut one = T::default();
            let mut loader = Loader::new(&changed, versions.clone())
                .with_context(self.known.over(&changed))
                .owning();
            one.serialize(&mut loader).map_err(|error| error.to_string())?;
            let said = loader.versions().clone();
            let other = before.downcast_ref::<T>().cloned().unwrap_or_default();
            self.over_fitting(&one, other, &said)
                .map_err(|fault| format!("{fault}\n  bytes {}", shown()))?;
            before = Box::new(one);
            (bytes, used) = (changed, Some(length.max(1)));
        }
        Ok(loaded)
    }
}
