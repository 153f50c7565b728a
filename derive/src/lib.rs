//! The derive macro of [`farchive`]: `#[derive(Archived)]`.
//!
//! Use it through `farchive`, which exports it beside the trait of the same name; the two crates are
//! released together and only fit each other in the same version. The way of a type through this
//! crate: `attr` reads attributes, `model` holds what the type says, `check` judges it, `expand` prints
//! its code, with the bounds that `generics` finds and the data that `layout` writes down.
//!
//! [`farchive`]: https://docs.rs/farchive

#![forbid(unsafe_code)]

mod attr;
mod check;
mod check_type;
mod expand;
mod expand_enum;
mod expand_field;
mod generics;
mod item;
mod layout;
mod model;
mod names;
#[cfg(test)]
mod tests;

/// Writes a type's one function, which loads, saves, measures, visits and explains it.
///
/// Fields are serialised in the order in which they are declared. Where a layout changed between
/// versions, an attribute before the field says so:
///
/// ```
/// use farchive::{Archived, Loader, Saver, Versions};
///
/// #[derive(Archived, Debug, Default, PartialEq)]
/// struct Generation {
///     export_count: u32,
///     name_count: u32,
///     #[since(322)]
///     net_object_count: u32,
/// }
///
/// # fn main() -> farchive::Result {
/// let old = Versions::own(321);
/// let mut generation = Generation { export_count: 7, name_count: 9, net_object_count: 0 };
/// let mut saver = Saver::new(old.clone());
/// generation.serialize(&mut saver)?;
/// assert_eq!(saver.bytes(), [7, 0, 0, 0, 9, 0, 0, 0]);
///
/// let bytes = saver.into_bytes();
/// let mut loaded = Generation::default();
/// loaded.serialize(&mut Loader::new(&bytes, old.clone()))?;
/// assert_eq!(loaded, generation);
///
/// // What the version has no place for is refused, never dropped.
/// generation.net_object_count = 1;
/// let error = generation.serialize(&mut Saver::new(old)).unwrap_err();
/// assert_eq!(error.path(), "net_object_count");
/// # Ok(())
/// # }
/// ```
///
/// # Versions: `since` and `until`
///
/// Before a field or a whole enum variant. Ranges are half-open, so that `until(68)` and `since(68)`
/// tile.
///
/// | attribute | the field is there when |
/// |---|---|
/// | `#[since(V)]` | the version, which is the first axis of the format, is `V` or higher |
/// | `#[until(V)]` | it is below `V` |
/// | `#[since(engine = V)]` | the number on the axis that the constant `ENGINE` stands for is `V` or higher |
/// | `#[since(custom = GUID, V)]` | the custom version of `GUID` is; one that is not listed is -1 |
///
/// `until` takes the same. The constant of an axis is an `Axis` that the format declares; the attribute has its name in
/// lower case, and its path where it is not in scope: `#[since(crate::version::engine = V)]`. It can't be called `custom`,
/// which stands for custom versions. `V` is a number or any constant expression of type `u32` (`i32` for `custom`). For
/// several axes the attribute is repeated; all of them must hold.
///
/// ```
/// use farchive::version::Axis;
/// use farchive::{Archived, Guid};
///
/// const ENGINE: Axis = Axis::new(1, "engine");
/// const HERITAGE_REMOVED: u32 = 68;
/// const PHYSICS: Guid = Guid::new(1, 2, 3, 4);
///
/// #[derive(Archived)]
/// struct Header {
///     #[until(HERITAGE_REMOVED)]
///     heritage_count: u32,
///     #[since(HERITAGE_REMOVED)]
///     guid: Guid,
///     #[since(100)]
///     #[since(engine = 3)]
///     #[until(engine = 9)]
///     of_some_engines: u32,
///     #[since(custom = PHYSICS, 2)]
///     mass: f32,
/// }
///
/// // The bounds are published, so that tests can run one below, at and above each.
/// assert_eq!(Header::THRESHOLDS[0].value, 68);
/// assert_eq!(Header::LAYOUT.fields().nth(2).unwrap().bounds[1].to_string(), "from engine 3");
/// ```
///
/// Loading a version that lacks the field makes it `Default`. Saving it is the error `NotInVersion`
/// unless it is `Default`. Its type needs `Default` and `PartialEq` for that.
///
/// # Conditions: `archive(when = CONDITION)`
///
/// The field is there when the `bool` expression holds, and, if it has them, its `since` and `until`.
/// The expression sees the value as `self` and the archive as `ar`. It may name fields that are declared
/// *before* this one alone, since no others have been read while loading; of a function such as
/// `self.has_preview()` loading checks, when all fields are there, that it still says the same. It is evaluated in every direction, so it must depend on
/// plain values only: a name or object reference may just have been renumbered.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// struct Resource {
///     flags: u32,
///     #[since(3)]
///     #[archive(when = self.flags & 1 != 0)]
///     preview: u32,
/// }
/// ```
///
/// # Other layouts: `archive(with = PATH)`
///
/// Calls a function instead of the type's own one. It is generic over the archive, and like every
/// serialising function it does the same in all directions, but for what only loading can decide. Those
/// for arrays are in `farchive::primitive::array`.
///
/// ```
/// use farchive::{Archive, ArchiveExt, Archived, ErrorKind, Result};
///
/// #[derive(Archived)]
/// struct Door {
///     #[archive(with = in_one_byte)]
///     width: u16,
///     #[since(2)]
///     #[archive(when = self.width > 0, with = farchive::primitive::array::counted_u32)]
///     keys: Vec<u32>,
/// }
///
/// fn in_one_byte<A: Archive + ?Sized>(value: &mut u16, ar: &mut A) -> Result<()> {
///     if ar.is_loading() {
///         *value = 0; // what it was before must not matter
///     }
///     let mut byte = u8::try_from(*value)
///         .map_err(|_| ar.error(ErrorKind::OutOfRange { value: (*value).into(), bits: 8 }))?;
///     ar.serialize_u8(&mut byte)?;
///     *value = byte.into();
///     Ok(())
/// }
/// ```
///
/// Behind the value the function takes what the attribute hands it: `with = PATH(ARGUMENTS)`. Like conditions these
/// are expressions of fields above, and may be functions themselves. `farchive::with` is a shelf of such forms:
/// counts, texts and numbers of other widths, sizes, padding, a byte order. There is no need to wrap types of other
/// crates either.
///
/// ```
/// use farchive::{Archive, ArchiveExt, Archived, Result, with};
///
/// #[derive(Archived)]
/// struct Image {
///     width: u16,
///     height: u16,
///     #[archive(with = with::align::<4>)]
///     padding: (),
///     #[archive(with = rows(self.width, self.height))]
///     rows: Vec<Vec<u8>>,
///     #[archive(with = with::each_u8(with::c_text))]
///     names: Vec<String>,
/// }
///
/// fn rows<A: Archive + ?Sized>(
///     rows: &mut Vec<Vec<u8>>,
///     width: u16,
///     height: u16,
///     ar: &mut A,
/// ) -> Result<()> {
///     if ar.is_loading() {
///         ar.claim(height.into(), width.into())?;
///         *rows = vec![vec![0; width.into()]; height.into()];
///     }
///     rows.iter_mut().try_for_each(|row| ar.serialize_bytes(row))
/// }
/// ```
///
/// # Counts in other fields: `archive(count = EXPRESSION)`
///
/// A `Vec` has its count right before its elements. Where the count stands apart, the field says how many there are: a
/// `Vec`, a boxed slice, or a `String` in bytes. It is a field above, an expression of fields above by their bare
/// names (whose numbers do not overflow, whatever a file says), a constant, or `..` for all up to the end of the file
/// or of the part of declared size around it (`farchive::with::sized_u32`). Saving a count that does not count the
/// elements is an error; `computed` makes saving work it out.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// struct Header {
///     #[archive(computed = self.title.len())]
///     title_length: u16,
///     width: u16,
///     height: u16,
///     #[archive(count = title_length)]
///     title: String,
///     #[archive(count = width * height + 1)]
///     pixels: Vec<u64>,
///     #[archive(count = ..)]
///     rest: Vec<u8>,
/// }
/// ```
///
/// # What saving works out: `archive(computed = EXPRESSION)`
///
/// Saving stores the expression in place of the field, converted into the field's type, and refuses one that does not
/// fit. The value is left as it is, and loading keeps what was stored. So counts, tags and sums need not be kept true by
/// hand.
///
/// ```
/// use farchive::{Archived, Saver, Versions};
///
/// #[derive(Archived, Default)]
/// struct Scores {
///     #[archive(computed = self.scores.iter().map(|score| u32::from(*score)).sum::<u32>())]
///     sum: u16,
///     scores: Vec<u8>,
/// }
///
/// let mut saver = Saver::new(Versions::own(1));
/// Scores { sum: 0, scores: vec![200, 100] }.serialize(&mut saver)?;
/// assert_eq!(saver.bytes(), [44, 1, 2, 0, 0, 0, 200, 100]);
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Tags in other fields: `archive(tag = FIELD)`
///
/// An enum with `#[archive(tagged)]` may stand apart from its tag: the field names the one above that holds it. The enum
/// has the trait `Tagged` then; by itself it is stored behind its tag as any other.
///
/// ```
/// use farchive::Archived;
/// use farchive::archive::Tagged;
///
/// #[derive(Archived)]
/// struct Message {
///     #[archive(computed = self.body.tag())]
///     kind: u8,
///     time: u32,
///     #[archive(tag = kind)]
///     body: Body,
/// }
///
/// #[derive(Archived)]
/// #[archive(tagged)]
/// #[repr(u8)]
/// enum Body {
///     Move { x: i16, y: i16 },
///     Say(String) = 7,
/// }
/// ```
///
/// # Versions without a field: `archive(default = EXPRESSION)`
///
/// Loading a version without the field makes it this value instead of `Default`, and only this value is saved there.
///
/// ```
/// use farchive::{Archived, Loader, Versions};
///
/// #[derive(Archived, Default)]
/// struct Config {
///     name: u8,
///     #[since(2)]
///     #[archive(default = 60)]
///     frame_rate: u16,
/// }
///
/// let mut config = Config::default();
/// config.serialize(&mut Loader::new(&[1], Versions::own(1)))?;
/// assert_eq!(config.frame_rate, 60);
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Fields whose type changed: `archive(was(until = VERSION, from = PATH, to = PATH))`
///
/// Below the file version `VERSION` the field was of another type: the one that `from` takes. `to` makes it again of a
/// reference to the value, or says `None` where it can't, which is the error `NotInVersion`. A field may have several
/// earlier types, ascending by version. `LAYOUT` lists each form, and `farchive::archive::changes` says what changed
/// between two versions; `farchive::assert_recorded!` holds versions to what they were.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// struct Progress {
///     /// In milliseconds; in whole seconds before version 3.
///     #[archive(was(until = 3, from = from_seconds, to = to_seconds))]
///     play_time: u64,
/// }
///
/// fn from_seconds(seconds: u32) -> u64 {
///     u64::from(seconds) * 1000
/// }
///
/// fn to_seconds(milliseconds: &u64) -> Option<u32> {
///     let whole = milliseconds.is_multiple_of(1000);
///     u32::try_from(milliseconds / 1000).ok().filter(|_| whole)
/// }
/// ```
///
/// # Hooks: `archive(after_load = PATH)`, `archive(before_save = PATH)`
///
/// Before a whole type. The first function is called with the value when all of it was loaded, to check it or to fill in
/// fields that are not stored. The second is called with a copy that is saved in place of the value, which stays as it
/// is.
///
/// ```
/// use farchive::{Archive, Archived, ErrorKind, Result};
///
/// #[derive(Archived, Clone)]
/// #[archive(after_load = check, before_save = sort)]
/// struct Scores {
///     scores: Vec<u32>,
/// }
///
/// fn check<A: Archive + ?Sized>(scores: &mut Scores, _: &mut A) -> Result<()> {
///     match scores.scores.is_sorted() {
///         true => Ok(()),
///         false => Err(ErrorKind::Invalid { reason: "the scores are not sorted".into() }.into()),
///     }
/// }
///
/// fn sort<A: Archive + ?Sized>(scores: &mut Scores, _: &mut A) -> Result<()> {
///     scores.scores.sort();
///     Ok(())
/// }
/// ```
///
/// # Bit fields: `archive(bits = …)`
///
/// Before a struct the integer in which all of its fields are bits (`u8` to `u64`), before each field how many it takes;
/// the first stands in the lowest ones. Fields are truth values, unsigned integers, or have the trait
/// `farchive::archive::BitField`. Bits that no field has must be zero.
///
/// ```
/// use farchive::{Archived, Saver, Versions};
///
/// #[derive(Archived)]
/// #[archive(bits = u16)]
/// struct Flags {
///     #[archive(bits = 1)]
///     visible: bool,
///     #[archive(bits = 4)]
///     layer: u8,
///     #[archive(bits = 11)]
///     id: u16,
/// }
///
/// let mut saver = Saver::new(Versions::own(1));
/// Flags { visible: true, layer: 2, id: 3 }.serialize(&mut saver)?;
/// assert_eq!(saver.bytes(), [0b0110_0101, 0]);
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Names: `archive(rename = "NAME")`, `archive(flatten)`
///
/// What errors, explanations, documents and `LAYOUT` call a field or variant, where that is not its name; and a field
/// whose own fields stand among those around it, for all that goes by names. Neither changes a byte.
///
/// ```
/// use farchive::{Archived, Loader, Versions};
///
/// #[derive(Archived, Default)]
/// struct Door {
///     #[archive(rename = "type")]
///     kind: u8,
///     #[archive(flatten)]
///     place: Place,
/// }
///
/// #[derive(Archived, Default)]
/// struct Place {
///     x: u8,
/// }
///
/// let error = |bytes| Door::default().serialize(&mut Loader::new(bytes, Versions::own(1))).unwrap_err();
/// assert_eq!((error(&[]).path(), error(&[1]).path()), ("type".to_owned(), "x".to_owned()));
/// ```
///
/// # Magic values: `archive(magic = BYTES)`
///
/// Stands before a whole type: these bytes come first. Loading others is the error `BadMagic`.
///
/// ```
/// use farchive::{Archived, Loader, Versions};
///
/// #[derive(Archived, Default)]
/// #[archive(magic = b"LEVL")]
/// struct Level {
///     width: u16,
/// }
///
/// let error = Level::default().serialize(&mut Loader::new(b"LEVE\x05\0", Versions::own(1)));
/// assert_eq!(error.unwrap_err().path(), "magic");
/// ```
///
/// # Where the framework is: `archive(crate = PATH)`
///
/// The code finds the framework as `::farchive`. A type whose crate calls it otherwise, or reaches it through
/// another crate that exports it, says where; also beside a magic value.
///
/// ```
/// mod of_another_crate {
///     pub use farchive as framework;
/// }
///
/// use of_another_crate::framework::Archived;
///
/// #[derive(Archived, Default)]
/// #[archive(magic = b"DOOR", crate = of_another_crate::framework)]
/// struct Door {
///     width: u16,
/// }
/// ```
///
/// # What a field is for: `archive(role = derived)`, `archive(role = identity)`
///
/// `derived` is what each save makes anew: a time, a build, a GUID of the save. `identity` is the key of an element
/// in a list whose order says nothing. Bytes are the same; the layout has the role, and the records of
/// [`Annotate`](../farchive/archive/struct.Annotate.html) have it, so that two files are compared and merged by what
/// they say.
///
/// ```
/// # use farchive::Archived;
/// # use farchive::archive::Role;
/// # use farchive::archive::layout::Shape;
/// #[derive(Archived)]
/// struct Save {
///     #[archive(role = derived)]
///     saved_at: u64,
///     level: u32,
/// }
///
/// let Shape::Struct { fields } = Save::LAYOUT.shape else { panic!("it is a struct") };
/// assert_eq!((fields[0].role, fields[1].role), (Some(Role::Derived), None));
/// ```
///
/// # Fields that are not stored: `archive(skip)`
///
/// Loading makes the field `Default`; nothing else looks at it. It stands alone: a field that is never
/// stored has no version, condition, count or layout.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// struct Texture {
///     width: u32,
///     #[archive(skip)]
///     is_selected: bool,
/// }
/// ```
///
/// # Enums
///
/// An enum is stored as its discriminant and then the fields of its variant. `#[repr(...)]` says as
/// which integer: `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, `u64` or `i64`. Values follow Rust's rules.
/// Fields of variants take the same attributes as those of structs, and all of them need `Default`.
/// In the `when` of such a field, the other fields of the variant are `&mut` variables: by their names,
/// or `_0`, `_1`... in a tuple variant; `ar` is always the archive.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// #[repr(u8)]
/// enum Light {
///     Off,
///     Steady { brightness: f32 },
///     #[since(5)]
///     Flicker {
///         rate: u32,
///         #[archive(when = *rate > 0)]
///         phase: f32,
///     } = 9,
/// }
/// ```
///
/// Loading an integer that no variant has is the error `UnknownVariant`, one whose variant the version lacks
/// `VariantNotInVersion`. Saving a variant that the version lacks is `NotInVersion`.
///
/// The last variant may keep the integers that no other has, with `#[archive(other)]`: its first field is the integer,
/// and what it stores of the others follows (`farchive::with::sized_u32` where a size says how much). Saving refuses an
/// integer that another variant of the version has.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// #[repr(u8)]
/// enum Chunk {
///     End,
///     Name(String),
///     #[archive(other)]
///     Unknown(u8, #[archive(with = farchive::with::list_u32)] Vec<u8>),
/// }
/// ```
///
/// # Generics
///
/// A type parameter that a stored field mentions is bound by `Archived`, and the types of fields that
/// can be absent or skipped by what is said above. Whatever else a field's type asks for is written on
/// the type, such as `T: Default` for a `Vec<T>`.
///
/// ```
/// # use farchive::Archived;
/// #[derive(Archived)]
/// struct Table<T: Default> {
///     rows: Vec<T>,
///     #[since(2)]
///     spare: Wrapper<T>,
/// }
/// # #[derive(Archived, Default, PartialEq)]
/// # struct Wrapper<T>(T);
/// ```
///
/// # The layout as data
///
/// All of this, with the first sentences of the doc comments, also becomes the constant `LAYOUT`, which
/// costs nothing where nobody looks at it: `upk layout` prints it.
///
/// # Errors
///
/// All errors of a type are reported together: unknown and duplicate keys, missing values, an axis
/// that stands twice, ranges without a version in them (also between a variant and its fields; between
/// constants, the compiler finds them), `skip` beside anything else, two keys that say how one field is stored, a
/// `count`, `tag`, `when` or argument of a later field or of one that is not there, a `default` that no version needs,
/// more bits than their number has, a variant for unknown tags that is not the last, an enum without `repr`, a union, and
/// any of these attributes before a whole type but one `archive` of `magic`, `crate`, `after_load`, `before_save`,
/// `bits` and `tagged`.
#[proc_macro_derive(Archived, attributes(since, until, archive))]
pub fn derive_archived(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand::derive(&syn::parse_macro_input!(input as syn::DeriveInput)).into()
}

/// Writes down the fields of a type whose function is written by hand, as they are declared.
///
/// They become the constant `DESCRIBED`, from which the type takes its layout. Nothing is known of versions
/// and conditions, nor of an order that differs from the declaration's.
///
/// ```
/// use farchive::archive::Layout;
/// use farchive::{Archive, Archived, Described, Result};
///
/// /// A number and its double.
/// #[derive(Described)]
/// struct Pair {
///     /// The number.
///     number: u32,
/// }
///
/// impl Archived for Pair {
///     const LAYOUT: &'static Layout = Self::DESCRIBED;
///
///     fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
///         self.number.serialize(ar)?;
///         (self.number * 2).serialize(ar)
///     }
/// }
///
/// assert_eq!(Pair::LAYOUT.doc, "A number and its double.");
/// assert_eq!(Pair::LAYOUT.fields().next().unwrap().doc, "The number.");
/// ```
#[proc_macro_derive(Described, attributes(archive))]
pub fn derive_described(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    layout::described(&syn::parse_macro_input!(input as syn::DeriveInput)).into()
}
