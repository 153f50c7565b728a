//! `save(load(bytes)) == bytes` for whole packages with changed bytes: whatever opens, saves as it was.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Package, Versions};

use crate::common::parts::Parts;
use crate::common::{GAMES, ORDERS};

/// A change: where, and what to put there.
#[derive(Debug, Clone)]
enum Change {
    Byte(usize, u8),
    Word(usize, i32),
    /// A bit of one word: small changes to counts and offsets open more often.
    Bit(usize, u32),
}

impl Change {
    fn apply(&self, bytes: &mut [u8], big: bool) {
        match *self {
            Self::Byte(at, byte) => bytes[at % bytes.len()] = byte,
            Self::Bit(at, bit) => bytes[at % bytes.len()] ^= 1 << (bit % 8),
            Self::Word(at, word) => {
                let at = at % (bytes.len() - 4) / 4 * 4;
                let word = if big { word.to_be_bytes() } else { word.to_le_bytes() };
                bytes[at..at + 4].copy_from_slice(&word);
            }
        }
    }
}

fn changes(header: usize) -> impl Strategy<Value = Vec<Change>> {
    let at = move || 8..header;
    let word = prop_oneof![Just(0), Just(-1), Just(1), 0..600i32, any::<i32>()];
    let change = prop_oneof![
        3 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        3 => (at(), any::<u32>()).prop_map(|(at, bit)| Change::Bit(at, bit)),
        2 => (at(), word).prop_map(|(at, word)| Change::Word(at, word)),
    ];
    proptest::collection::vec(change, 1..4)
}

#[test]
fn changed_packages_that_open_save_as_they_were() {
    let mainline = [35, 44, 61, 66, 69, 128, 177, 178, 300, 491, 512, 684, 868];
    let versions = mainline.map(|file| Versions::ue1_to_3(file, 0)).into_iter();
    let games = GAMES.iter().map(|&(file, licensee, _)| Versions::ue1_to_3(file, licensee));
    let (mut opened, mut all) = (0u32, 0u32);
    for versions in versions.chain(games) {
        for order in ORDERS {
            let versions = versions.clone().with_byte_order(order);
            let good = Parts::rich(versions.clone()).assemble();
            assert!(Package::from_bytes(good.clone()).unwrap().to_bytes().unwrap() == good);
            let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[versions.file() as u8; 32]);
            let count = std::cell::Cell::new((0, 0));
            TestRunner::new_with_rng(config, rng)
                .run(&changes(good.len()), |changes| {
                    let mut bytes = good.clone();
                    changes.iter().for_each(|change| change.apply(&mut bytes, order.is_big()));
                    let (opened, all) = count.get();
                    let Ok(package) = Package::from_bytes(bytes.clone()) else {
                        count.set((opened, all + 1));
                        return Ok(());
                    };
                    count.set((opened + 1, all + 1));
                    let saved = package
                        .to_bytes()
                        .map_err(|error| TestCaseError::fail(error.to_string()))?;
                    prop_assert!(
                        saved == bytes,
                        "differs from {:?}",
                        saved.iter().zip(&bytes).position(|(a, b)| a != b)
                    );
                    Ok(())
                })
                .unwrap_or_else(|error| panic!("{versions} {order:?}: {error}"));
            opened += count.get().0;
            all += count.get().1;
        }
    }
    assert!(opened * 4 > all, "only {opened} of {all} opened: the changes are too coarse");
}
