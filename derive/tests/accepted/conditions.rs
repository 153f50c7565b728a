//! Conditions that look like others: what is named is not a later field.

use farchive::{Archived, Loader, Saver, Versions};

#[derive(Archived, Debug, Default, PartialEq)]
struct Named {
    flags: u32,
    inner: (u32, u32),
    #[archive(when = self.flags & 1 != 0 && self.later() && self.inner.1 != 1)]
    size: u32,
    later: u32,
}

impl Named {
    fn later(&self) -> bool {
        self.flags & 2 == 0
    }
}

/// What a function looks at, the derive can't see.
#[derive(Archived, Debug, Default)]
struct Later {
    #[archive(when = self.has_size())]
    size: u32,
    flags: u32,
}

impl Later {
    fn has_size(&self) -> bool {
        self.flags & 1 != 0
    }
}

#[test]
fn a_function_that_looks_at_later_fields_is_found_out_when_loading() {
    let mut saver = Saver::new(Versions::own(1));
    Later { size: 7, flags: 1 }.serialize(&mut saver).unwrap();
    let bytes = saver.into_bytes();
    // Without the size, the first number is taken for the flags.
    let odd = [1, 0, 0, 0, 7, 0, 0, 0];
    for bytes in [&bytes[4..], &odd] {
        let mut loader = Loader::new(bytes, Versions::own(1));
        let error = Later::default().serialize(&mut loader).unwrap_err();
        assert_eq!(error.path(), "size", "{error}");
    }
}

mod depth {
    pub const DEEP: u32 = 3;
}

#[derive(Archived, Debug, Default, PartialEq)]
#[repr(u8)]
enum Variant {
    #[default]
    Empty,
    Full {
        size: u32,
        #[archive(when = *size > depth::DEEP && (*size).count_ones() > 0)]
        depth: u32,
        #[archive(when = (0..*size).contains(depth))]
        count_ones: u32,
    },
}

fn trip<T: Archived + Default + PartialEq + std::fmt::Debug>(mut value: T) {
    let mut saver = Saver::new(Versions::own(1));
    value.serialize(&mut saver).unwrap();
    let bytes = saver.into_bytes();
    let mut loaded = T::default();
    loaded.serialize(&mut Loader::new(&bytes, Versions::own(1))).unwrap();
    assert_eq!(loaded, value);
}

#[test]
fn fields_above_and_names_of_other_things_are_no_later_fields() {
    trip(Named { flags: 1, inner: (1, 2), size: 7, later: 9 });
    trip(Named { flags: 0, inner: (1, 2), size: 0, later: 9 });
    trip(Variant::Full { size: 9, depth: 3, count_ones: 5 });
    trip(Variant::Full { size: 2, depth: 0, count_ones: 5 });
}
