//! One value, and what each archive says of it: loading, counting, saving, explaining, references, renumbering,
//! and its form in JSON.

use std::sync::LazyLock;

use unreal_packages::archive::layout::Link;
use unreal_packages::version::UnrealVersions;

use super::versions::{by_key, chosen, key};
use crate::common::agreement::laws;

/// Every type that can be made, by its path.
static TYPES: LazyLock<Vec<(u16, &'static Link)>> = LazyLock::new(|| {
    let made = unreal_packages::layouts().iter().filter(|link| link.value.is_some());
    let path = |link: &Link| link.layout().map_or("", |layout| (layout.path)());
    let mut all: Vec<_> = made.map(|link| (key(path(link)), link)).collect();
    all.sort_by_key(|(key, link)| (*key, path(link)));
    all
});

/// Zeros behind an input: most values need many.
const ZEROS: usize = 512;

/// An input: a type by its path, the number of versions, the bytes of a value.
pub fn input(path: &str, versions: u8, bytes: &[u8]) -> Vec<u8> {
    let [low, high] = key(path).to_le_bytes();
    [&[low, high, versions][..], bytes].concat()
}

pub fn run(data: &[u8]) {
    let Some(([low, high, number], bytes)) = data.split_first_chunk() else { return };
    let link = by_key(&TYPES, u16::from_le_bytes([*low, *high]));
    let (layout, make) = (link.layout().unwrap(), link.value.unwrap());
    let versions = chosen(*number);
    let bytes = [bytes, &[0; ZEROS]].concat();
    let what = || format!("{} at {versions} {:?}", layout.name(), versions.game());
    match laws(make, make(), &bytes, versions) {
        Err(fault) => panic!("{}: {fault}", what()),
        Ok(None) => {}
        Ok(Some(_)) => {
            #[cfg(feature = "json")]
            {
                let known = (versions.clone(), crate::common::agreement::context(&bytes));
                if let Err(fault) = crate::keys::law((make, layout), &bytes, known) {
                    panic!("{}: {fault}", what());
                }
            }
        }
    }
}
