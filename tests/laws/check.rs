//! The laws of the framework over random values of the model.

use std::fmt::Debug;

use farchive::testing::{self, LawContext};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use unreal_packages::Versions;
use unreal_packages::primitive::{Name, PackageIndex};
use unreal_packages::version::UnrealVersions;

use super::sample::Sample;
use crate::common::{all_versions, ue4_versions};

pub type Outcome = Result<(), TestCaseError>;

/// Runs a law over random values at these versions. The numbers are drawn from a fixed seed for each
/// version, so that a failure comes back.
fn at_versions<T: Debug + 'static>(
    all: Vec<Versions>,
    cases: u32,
    strategy: impl Fn(&Versions) -> BoxedStrategy<T>,
    law: impl Fn(T, &Versions) -> Outcome,
) {
    for versions in all {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let mut seed = [versions.byte_order.is_big() as u8 + 1; 32];
        seed[..4].copy_from_slice(&versions.file().to_le_bytes());
        seed[4..8].copy_from_slice(&(versions.ue4() + versions.ue5()).to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        TestRunner::new_with_rng(config, rng)
            .run(&strategy(&versions), |value| law(value, &versions))
            .unwrap_or_else(|error| {
                panic!("{versions} {:?} {:?}: {error}", versions.byte_order, versions.game())
            });
    }
}

/// All laws for a random value, another one as the garbage that loading must overwrite, and a change
/// to the bytes.
pub fn every_law<T: Sample>(cases: u32) {
    every_law_at::<T>(all_versions(), cases);
}

/// The same at the versions of UE4 and UE5.
pub fn every_ue4_law<T: Sample>(cases: u32) {
    every_law_at::<T>(ue4_versions(), cases);
}

fn every_law_at<T: Sample>(all: Vec<Versions>, cases: u32) {
    let known =
        LawContext { spaces: vec![&Name::SPACE, &PackageIndex::SPACE], ..LawContext::default() };
    let strategy = |versions: &Versions| {
        let change = (any::<u16>(), any::<u8>());
        (T::any(versions), T::any(versions), proptest::collection::vec(change, 1..4)).boxed()
    };
    at_versions(all, cases, strategy, |(value, garbage, changes), versions| {
        let mut fitted = value.clone();
        fitted.fit(versions);
        if fitted != value {
            testing::misfit(&value, versions, &known).map_err(TestCaseError::fail)?;
        }
        let mut bytes =
            testing::value(&fitted, garbage, versions, &known).map_err(TestCaseError::fail)?;
        if !bytes.is_empty() {
            for &(at, byte) in &changes {
                let at = usize::from(at) % bytes.len();
                bytes[at] = byte;
            }
            bytes.extend([0x11; 8]);
            testing::changed_bytes::<T>(&bytes, versions, &known).map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
}
