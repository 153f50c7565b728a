//! Which game a package is of, as the conditions of fields and the lists of classes ask.

use crate::Game;
use crate::archive::Versioned;
use crate::version::{UnrealVersions, Versions};

macro_rules! games {
    ($($(#[$doc:meta])* $name:ident($ar:ident) $condition:expr;)*) => { $(
        $(#[$doc])*
        pub(super) fn $name<V: Versioned + ?Sized>($ar: &V) -> bool {
            $condition
        }
    )* };
}

games! {
    /// Mass Effect 1.
    is_mass_effect_1(ar) ar.versions().game() == Game::MassEffect1;
    /// Mass Effect 2.
    is_mass_effect_2(ar) ar.versions().game() == Game::MassEffect2;
    /// Mass Effect 1 and 2.
    is_mass_effect_1_2(ar) is_mass_effect_1(ar) || is_mass_effect_2(ar);
    /// Mass Effect 3, and what is built on it: the new editions of all three, the first two on PlayStation 3.
    is_mass_effect_3(ar) matches!(ar.versions().game(), Game::MassEffect3 | Game::MassEffectLegendary);
    /// Mass Effect 2 and 3.
    is_mass_effect_2_3(ar) is_mass_effect_2(ar) || is_mass_effect_3(ar);
    /// Any Mass Effect.
    is_mass_effect(ar) is_mass_effect_1(ar) || is_mass_effect_2_3(ar);
    /// Mass Effect 1, also in the engine of the third one.
    is_first_game(ar) is_mass_effect_1(ar) || ar.versions().mass_effect_port() == Some(1);
    /// Mass Effect 1 and 2, also in the engine of the third one.
    is_first_or_second_game(ar) is_mass_effect(ar) && !is_third_game(ar);
    /// Mass Effect 3, and not the first two in its engine.
    is_third_game(ar) is_mass_effect_3(ar) && ar.versions().mass_effect_port().is_none();
    /// The first two games on PlayStation 3: textures, animations and shaders as in Mass Effect 2.
    is_ported_to_ps3(ar) ar.versions().game() == Game::MassEffect3 && !is_third_game(ar);
    /// XCOM 2.
    is_xcom_2(ar) ar.versions().game() == Game::Xcom2;
    /// Killing Floor 2, whose classes end with a few bytes of their own: 871/1113 and 871/1117 were seen.
    is_killing_floor_2(ar) ar.versions().file() == 871 && (1100..1200).contains(&ar.versions().licensee());
    /// SWAT 4.
    swat(ar) ar.versions().game() == Game::Swat4;
}

/// The line of UT2003 and UT2004, from this file version on.
pub(super) fn ut<V: Versioned + ?Sized>(ar: &V, since: u32) -> bool {
    is_ut(ar.versions(), since)
}

/// The same of versions.
pub(super) fn is_ut(versions: &Versions, since: u32) -> bool {
    let is_line = (25..=29).contains(&versions.licensee()) && versions.game() != Game::Swat4;
    is_line && versions.file() >= since
}
