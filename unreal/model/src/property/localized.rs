//! Texts that can be translated.

use crate::archive::{Archive, ArchiveExt, in_field};
use crate::error::Result;
use crate::primitive::{FString, Name, NameContext};
use crate::version::custom::{
    EDITOR, FORTNITE_MAIN, UE5_RELEASE, editor, fortnite_main, ue5_release,
};
use crate::version::{UE4, UnrealVersions};
use crate::{Archived, ErrorKind};

/// First UE4 version whose texts know how they were made (spec: ue4-5/01 §8).
const HISTORY_ADDED: u32 = 368;
/// First UE4 version whose texts have a namespace and a key.
const NAMESPACE_ADDED: u32 = 226;
/// First UE4 version whose currencies say which.
const CURRENCY_ADDED: u32 = 389;
/// First UE4 version whose dates have a time zone.
const TIME_ZONE_ADDED: u32 = 422;
/// First UE4 version whose format data is named by a string.
const STRING_NAMES: u32 = 488;

/// A text and how it was made.
///
/// Spec: ue4-5/01 §8. C++: `FText`.
#[derive(Debug, Clone, PartialEq, Default, Archived)]
pub struct Text {
    /// The text in the language that it was written in; later part of the history.
    #[until(ue4 = HISTORY_ADDED)]
    pub source: FString,
    /// Where its key belongs.
    #[since(ue4 = NAMESPACE_ADDED)]
    #[until(ue4 = HISTORY_ADDED)]
    pub namespace: FString,
    /// The key for translators.
    #[since(ue4 = NAMESPACE_ADDED)]
    #[until(ue4 = HISTORY_ADDED)]
    pub key: FString,
    /// 1 transient, 2 culture invariant, 4 converted, 8 immutable, 16 made from a string.
    pub flags: u32,
    /// How it was made.
    #[since(ue4 = HISTORY_ADDED)]
    pub history: History,
}

/// How a text was made.
#[derive(Debug, Clone, PartialEq, Archived)]
#[repr(i8)]
pub enum History {
    /// From nothing, or from a string that is the same in every language.
    None {
        /// The string.
        #[since(custom = EDITOR, editor::CULTURE_INVARIANT_TEXT_SERIALIZATION_KEY_STABILITY)]
        #[archive(with = optional)]
        invariant: Option<FString>,
    } = -1,
    /// From a source text.
    Base {
        /// Where its key belongs.
        namespace: FString,
        /// The key for translators.
        key: FString,
        /// The text in the language that it was written in.
        source: FString,
        /// Notes of the developers.
        #[since(custom = FORTNITE_MAIN, fortnite_main::ADD_DEV_NOTES_TO_FTEXT)]
        #[archive(when = ar.versions().has_editor_only_data())]
        notes: FString,
    },
    /// By filling named places of a pattern.
    NamedFormat {
        /// The pattern.
        pattern: Box<Text>,
        /// The arguments for the places.
        arguments: Vec<(FString, FormatArgument)>,
    },
    /// By filling numbered places of a pattern.
    OrderedFormat {
        /// The pattern.
        pattern: Box<Text>,
        /// The arguments for the places.
        arguments: Vec<FormatArgument>,
    },
    /// By filling named places of a pattern, in a blueprint.
    ArgumentFormat {
        /// The pattern.
        pattern: Box<Text>,
        /// The arguments for the places.
        arguments: Vec<FormatData>,
    },
    /// From a number.
    AsNumber(NumberFormat),
    /// From a share of one.
    AsPercent(NumberFormat),
    /// From an amount of money.
    AsCurrency {
        /// Code of the currency.
        #[since(ue4 = CURRENCY_ADDED)]
        currency: FString,
        /// The amount.
        number: NumberFormat,
    },
    /// From a date.
    AsDate {
        /// Ticks of 100 ns since the year 1.
        ticks: i64,
        /// How much is said.
        date_style: i8,
        /// The time zone.
        #[since(ue4 = TIME_ZONE_ADDED)]
        time_zone: FString,
        /// The culture.
        culture: FString,
    },
    /// From a time of the day.
    AsTime {
        /// Ticks of 100 ns since the year 1.
        ticks: i64,
        /// How much is said.
        time_style: i8,
        /// The time zone.
        time_zone: FString,
        /// The culture.
        culture: FString,
    },
    /// From a date and a time.
    AsDateTime {
        /// Ticks of 100 ns since the year 1.
        ticks: i64,
        /// How much is said of the date.
        date_style: i8,
        /// How much is said of the time.
        time_style: i8,
        /// The time zone.
        time_zone: FString,
        /// The culture.
        culture: FString,
    },
    /// By changing the letters of another text.
    Transform {
        /// The other text.
        source: Box<Text>,
        /// 0 lower case, 1 upper case.
        transform: u8,
    },
    /// From a table.
    StringTableEntry {
        /// Name of the table.
        table: Name,
        /// Key in the table.
        key: FString,
    },
    /// By a generator of the game's own. Contents of the generator are not known to any sample.
    Generator {
        /// Name of the generator; anything but "none" is refused.
        #[archive(with = absent_generator)]
        generator: Name,
    },
}

impl Default for History {
    fn default() -> Self {
        Self::None { invariant: None }
    }
}

/// The argument for a place of a pattern.
#[derive(Debug, Clone, PartialEq, Archived)]
#[repr(i8)]
pub enum FormatArgument {
    /// A number.
    Int(i64),
    /// A number that is not negative.
    UInt(u64),
    /// A number with a fraction.
    Float(f32),
    /// A number with a fraction.
    Double(f64),
    /// A text.
    Text(Box<Text>),
    /// Masculine, feminine or neuter.
    Gender(u8),
}

impl Default for FormatArgument {
    fn default() -> Self {
        Self::Int(0)
    }
}

/// The argument for a place of a blueprint's pattern.
///
/// The type of the value is stored by a custom version only; whole numbers have 32 bits at first.
///
/// Spec: ue4-5/01 §8. C++: `FFormatArgumentData`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FormatData {
    /// The place.
    pub name: FString,
    /// The place, in old versions.
    pub name_text: Text,
    /// The argument.
    pub value: FormatArgument,
}

impl Archived for FormatData {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        use crate::archive::private::absent;
        let versions = ar.versions();
        let variant = versions.custom(&EDITOR) >= editor::TEXT_FORMAT_ARGUMENT_DATA_IS_VARIANT;
        let narrow = variant
            && versions.custom(&UE5_RELEASE) < ue5_release::TEXT_FORMAT_ARGUMENT_DATA64BIT_SUPPORT;
        if versions.ue4() >= STRING_NAMES {
            absent(&mut self.name_text, ar, "name")?;
            in_field("name", ar, |ar| self.name.serialize(ar))?;
        } else {
            absent(&mut self.name, ar, "name")?;
            in_field("name", ar, |ar| nested(&mut self.name_text, ar))?;
        }
        let value = &mut self.value;
        if !variant {
            // The type is not stored.
            if ar.is_loading() {
                *value = FormatArgument::Text(Box::default());
            }
            let FormatArgument::Text(text) = value else {
                return Err(ar.error(ErrorKind::NotInVersion));
            };
            return in_field("value", ar, |ar| nested(text, ar));
        }
        if !narrow {
            return in_field("value", ar, |ar| value.serialize(ar));
        }
        in_field("value", ar, |ar| narrow_argument(value, ar))
    }
}

/// An argument whose whole number has 32 bits.
fn narrow_argument<A: Archive + ?Sized>(value: &mut FormatArgument, ar: &mut A) -> Result<()> {
    let known = i64::from(matches!(value, FormatArgument::Int(_)));
    let form = ar.form("form", &["other", "int"], known);
    if form.map_or(ar.peek_number(0, 1) != Some(0), |form| form == 0) {
        return value.serialize(ar);
    }
    in_field("discriminant", ar, |ar| ar.serialize_i8(&mut 0))?;
    let wide = match value {
        FormatArgument::Int(wide) => *wide,
        _ => 0,
    };
    let mut number = i32::try_from(wide)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: wide.into(), bits: 32 }))?;
    in_field("0", ar, |ar| ar.serialize_i32(&mut number))?;
    if ar.is_loading() {
        *value = FormatArgument::Int(number.into());
    }
    Ok(())
}

/// A number and how it is written.
#[derive(Debug, Clone, PartialEq, Default, Archived)]
pub struct NumberFormat {
    /// The number.
    pub value: FormatArgument,
    /// How it is written, where that is not the culture's own form.
    #[archive(with = optional)]
    pub options: Option<NumberOptions>,
    /// The culture.
    pub culture: FString,
}

/// How numbers are written.
#[derive(Debug, Clone, PartialEq, Default, Archived)]
pub struct NumberOptions {
    /// Positive numbers have a sign, too.
    #[since(custom = EDITOR, editor::ADDED_ALWAYS_SIGN_NUMBER_FORMATTING_OPTION)]
    pub always_sign: bool,
    /// Thousands are set apart.
    pub use_grouping: bool,
    /// How numbers are rounded.
    pub rounding_mode: i8,
    /// Digits before the point, at least.
    pub min_integral_digits: i32,
    /// Digits before the point, at most.
    pub max_integral_digits: i32,
    /// Digits behind the point, at least.
    pub min_fractional_digits: i32,
    /// Digits behind the point, at most.
    pub max_fractional_digits: i32,
}

/// Four bytes that say whether a value follows.
fn optional<T: Archived + Default, A: Archive + ?Sized>(
    value: &mut Option<T>,
    ar: &mut A,
) -> Result<()> {
    let mut present = value.is_some();
    in_field("present", ar, |ar| present.serialize(ar))?;
    if ar.is_loading() {
        *value = present.then(T::default);
    }
    match value {
        Some(value) => value.serialize(ar),
        None => Ok(()),
    }
}

/// A text inside a text: they nest without a declared size.
fn nested<A: Archive + ?Sized>(text: &mut Text, ar: &mut A) -> Result<()> {
    ar.nested(|ar| text.serialize(ar))
}

fn absent_generator<A: Archive + ?Sized>(name: &mut Name, ar: &mut A) -> Result<()> {
    name.serialize(ar)?;
    if ar.is_loading() && !ar.context().is_none(name) {
        return Err(ar.error(ErrorKind::NonCanonical { form: "the contents of a text generator" }));
    }
    Ok(())
}
