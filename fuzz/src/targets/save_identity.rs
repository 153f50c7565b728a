//! A package that is decoded whole is saved as it was, or there is an error.

use super::{options, saves_as};

pub fn run(data: &[u8]) {
    let Ok(mut package) = options().open_bytes(data.to_vec()) else { return };
    package.decode_all();
    saves_as(&package, data);
}
