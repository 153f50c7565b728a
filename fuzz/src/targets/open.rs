//! Opening any bytes: all tables are looked at, every byte is explained, and what opened is saved as it was.

use super::options;
use crate::exercise::exercise_with;

pub fn run(data: &[u8]) {
    exercise_with(&options(), data, true, "the input");
}
