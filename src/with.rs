//! A shelf of forms that a field can take instead of its type's own: functions for `#[archive(with = …)]`.
//!
//! ```
//! use farchive::{Archived, Saver, Versions};
//!
//! #[derive(Archived, Default)]
//! struct Track {
//!     #[archive(with = farchive::with::fixed_text::<8>)]
//!     title: String,
//!     #[archive(with = farchive::with::varint)]
//!     plays: u32,
//!     #[archive(with = farchive::with::list_u8)]
//!     ratings: Vec<u16>,
//!     #[archive(with = farchive::with::each(farchive::with::text_u8))]
//!     tags: Vec<String>,
//!     #[archive(with = farchive::with::align::<4>)]
//!     padding: (),
//!     #[archive(with = farchive::with::big_endian)]
//!     checksum: u32,
//! }
//!
//! let mut saver = Saver::new(Versions::own(1));
//! let title = "Ode".into();
//! let tags = vec!["b".into()];
//! let mut track =
//!     Track { title, plays: 300, ratings: vec![7], tags, padding: (), checksum: 0x0102_0304 };
//! track.serialize(&mut saver)?;
//! assert_eq!(saver.bytes()[..10], *b"Ode\0\0\0\0\0\xac\x02");
//! assert_eq!(saver.bytes()[10..13], [1, 7, 0]);
//! assert_eq!(saver.bytes()[13..], [1, 0, 0, 0, 1, b'b', 0, 1, 2, 3, 4]);
//! # Ok::<(), farchive::Error>(())
//! ```
//!
//! | form | functions | fields |
//! |---|---|---|
//! | a count of another width, then the elements | [`list_u8`], [`list_u16`], [`list_u32`], [`list_u64`], [`list_varint`] | `Vec<T>` |
//! | the same with a function for each element | [`each`], [`each_u8`], [`each_u16`], [`each_u32`], [`each_u64`], [`each_varint`] | `Vec<T>` |
//! | elements to the end | [`rest`], [`rest_of_text`] | `Vec<T>`, `String` |
//! | one byte, then the value by a function | [`optional`] | `Option<T>` |
//! | bytes of UTF-8 behind their number | [`text_u8`], [`text_u16`], [`text_u32`], [`text_u64`], [`text_varint`] | `String` |
//! | units of UTF-16 behind their number | [`utf16_u8`], [`utf16_u16`], [`utf16_u32`], [`utf16_u64`], [`utf16_varint`] | `String` |
//! | text that a zero ends | [`c_text`], [`c_utf16`] | `String` |
//! | text in a room of fixed width | [`fixed_text`], [`fixed_utf16`] | `String` |
//! | a number in fewer bytes | [`as_u8`], [`as_i8`], [`as_u16`], [`as_i16`], [`as_u32`], [`as_i32`], [`as_u64`], [`as_i64`], [`u24`], [`i24`] | any integer |
//! | a number in as many bytes as it needs | [`varint`], [`zigzag`] | any integer |
//! | a truth value | [`bool_u8`], [`bool_u16`], [`bool_u32`] | `bool` |
//! | a byte order of its own | [`big_endian`], [`little_endian`] | any |
//! | its size in bytes, then the value | [`sized_u8`], [`sized_u16`], [`sized_u32`], [`sized_u64`], [`sized_varint`] | any |
//! | at an offset that another field says | [`at`] | any |
//! | its checksum behind or before it | [`checksum_behind`], [`checksum_before`] | any |
//! | the version of the file, which all that follows has | [`version_u8`], [`version_u16`], [`version_u32`] | `()` |
//! | zeros | [`padding`], [`align`] | `()` |
//! | a value that every file has | [`constant`] | `()` |
//!
//! Each of them does the same in all archives: what it stores is counted, explained and visited, and a document has
//! the text, number or list itself. What a form can't keep is refused when it is loaded, so that a value that was
//! loaded saves as the same bytes.
//!
//! A function of one's own is as good: `fn form<A: Archive + ?Sized>(value: &mut T, ar: &mut A) -> Result<()>`, with
//! arguments between the two where the attribute has some. Several bit fields in one number are
//! `#[archive(bits = u16)]` before a struct ([`Archived`](macro@crate::Archived)).

mod blank;
mod count;
mod number;
mod order;
mod place;
mod sized;
mod text;
mod utf16;
mod version;

pub use crate::primitive::rest::{rest, rest_of_text};
pub use blank::{align, constant, padding};
pub use count::{
    each, each_u8, each_u16, each_u32, each_u64, each_varint, list_u8, list_u16, list_u32,
    list_u64, list_varint, optional,
};
pub use number::{
    as_i8, as_i16, as_i32, as_i64, as_u8, as_u16, as_u32, as_u64, bool_u8, bool_u16, bool_u32, i24,
    u24, varint, zigzag,
};
pub use order::{big_endian, little_endian};
pub use place::{at, checksum_before, checksum_behind};
pub use sized::{sized_u8, sized_u16, sized_u32, sized_u64, sized_varint};
pub use text::{c_text, fixed_text, text_u8, text_u16, text_u32, text_u64, text_varint};
pub use utf16::{c_utf16, fixed_utf16, utf16_u8, utf16_u16, utf16_u32, utf16_u64, utf16_varint};
pub use version::{version_u8, version_u16, version_u32};
