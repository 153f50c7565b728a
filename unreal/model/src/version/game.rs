//! Games whose packages differ from the main line.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, noun};

macro_rules! games {
    ($($(#[$doc:meta])* $variant:ident = $slug:literal, $title:literal;)*) => {
        /// A game whose package layout differs from the main line, or that of its bodies.
        ///
        /// Detected from file and licensee version; several games share a pair, so a caller can set it
        /// (`OpenOptions::game`, `--game`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
        #[non_exhaustive]
        pub enum Game {
            /// Not known yet: the versions of a header decide when they are loaded.
            #[default]
            Detect,
            /// The layout of Epic's own versions, and of games that did not change it.
            Mainline,
            $($(#[$doc])* $variant,)*
        }

        impl Game {
            /// Every game, for help texts and tests.
            pub const ALL: &'static [Self] = &[Self::Detect, Self::Mainline, $(Self::$variant,)*];

            /// Its place in the list: its number on the axis of games.
            #[inline]
            pub(super) const fn number(self) -> u32 {
                self as u32
            }

            /// The game of this number; of any other number it is not known.
            // The compiler makes a comparison of it: games are asked for row by row.
            #[inline]
            pub(super) const fn of_number(number: u32) -> Self {
                match number {
                    $(number if number == Self::$variant as u32 => Self::$variant,)*
                    number if number == Self::Mainline as u32 => Self::Mainline,
                    _ => Self::Detect,
                }
            }

            /// The short name that the command line takes.
            pub fn slug(self) -> &'static str {
                match self { Self::Detect => "detect", Self::Mainline => "mainline", $(Self::$variant => $slug,)* }
            }
        }

        impl fmt::Display for Game {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { Self::Detect => "to be detected", Self::Mainline => "main line", $(Self::$variant => $title,)* })
            }
        }
    };
}

games! {
    /// UT2003, UT2004, Killing Floor, Red Orchestra: 118 to 128, licensee 25 to 29.
    Ut2004 = "ut2004", "UT2004 line";
    /// SWAT 4 and Tribes: Vengeance: 129 or 130, licensee 27.
    Swat4 = "swat4", "SWAT 4";
    /// Mass Effect 1 on PC (491/1008) and Xbox 360 (391/92).
    MassEffect1 = "mass-effect-1", "Mass Effect 1";
    /// Mass Effect 2 on PC and Xbox 360: 512 and 513, licensee 130.
    MassEffect2 = "mass-effect-2", "Mass Effect 2";
    /// Mass Effect 3 (684/185 to 194, Wii U 845/194) and the PS3 versions of the first two (684/150 to 153).
    MassEffect3 = "mass-effect-3", "Mass Effect 3";
    /// Mass Effect Legendary Edition: 684/168, 684/171, 685/205.
    MassEffectLegendary = "mass-effect-le", "Mass Effect Legendary Edition";
    /// XCOM: Enemy Unknown and Enemy Within: 845/59.
    Xcom = "xcom", "XCOM";
    /// XCOM 2 and War of the Chosen: 845/107, 845/120.
    Xcom2 = "xcom-2", "XCOM 2";
    /// Rocket League: 867 and 868, licensee 9 to 32; its header is encrypted.
    RocketLeague = "rocket-league", "Rocket League";
}

impl Game {
    /// The game that these versions most likely belong to (spec: ue1-3/02 §2.5).
    pub fn detect(file: u32, licensee: u32) -> Self {
        match (file, licensee) {
            (118..=128, 25..=29) => Self::Ut2004,
            (129..=130, 27) => Self::Swat4,
            (491, 1008) | (391, 92) => Self::MassEffect1,
            (512..=513, 130) => Self::MassEffect2,
            (684, 150..=153 | 185..=194) | (845, 194) => Self::MassEffect3,
            (684, 168 | 171) | (685, 205) => Self::MassEffectLegendary,
            (845, 59) => Self::Xcom,
            (845, 107 | 120) => Self::Xcom2,
            (867..=868, 9..=32) => Self::RocketLeague,
            _ => Self::Mainline,
        }
    }

    /// Whether names have no flags at all (spec: ue1-3/02 §2.5, Mass Effect 3).
    #[inline]
    pub fn has_no_name_flags(self) -> bool {
        matches!(self, Self::MassEffect3 | Self::MassEffectLegendary)
    }
}

impl FromStr for Game {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.iter().copied().find(|game| game.slug().eq_ignore_ascii_case(text)).ok_or_else(
            || {
                let known: Vec<_> = Self::ALL.iter().map(|game| game.slug()).collect();
                ErrorKind::NotFound {
                    what: noun::GAME,
                    name: text.to_owned(),
                    hint: format!("; known are {}", known.join(", ")),
                }
                .into()
            },
        )
    }
}
