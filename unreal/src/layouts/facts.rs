//! What conditions of layouts ask for and the version decides.

use crate::Versions;
use crate::archive::print::expression::Fact;
use crate::primitive::PackageFlags;
use crate::version::{Game, UnrealVersions, threshold};

/// What the version decides is decided here.
pub(super) fn facts(versions: &Versions) -> Vec<Fact<'static>> {
    let (file, game) = (versions.file(), versions.game());
    let mass_effect = |which: &[Game]| which.contains(&game).to_string();
    let mut facts = vec![
        ("ar.versions().has_object_versions()", versions.has_object_versions().to_string()),
        ("ar.versions().has_editor_only_data()", versions.has_editor_only_data().to_string()),
        ("ar.versions().unversioned_properties()", versions.unversioned_properties().to_string()),
        (
            "ar.versions().file() >= threshold::TOTAL_HEADER_SIZE_ADDED",
            (file >= threshold::TOTAL_HEADER_SIZE_ADDED).to_string(),
        ),
        (
            "has_additional_packages(ar)",
            (file >= threshold::ADDITIONAL_PACKAGES_ADDED || game == Game::MassEffect2).to_string(),
        ),
        ("is_chimera_squad(ar)", (game == Game::Xcom2 && file >= 884).to_string()),
        ("ar.versions().game() == Game::MassEffect1", mass_effect(&[Game::MassEffect1])),
        ("ar.versions().game() == Game::MassEffect2", mass_effect(&[Game::MassEffect2])),
        ("ar.versions().game() != Game::MassEffect3", (game != Game::MassEffect3).to_string()),
        (
            "matches!(ar.versions().game(), Game::MassEffect1 | Game::MassEffect2)",
            mass_effect(&[Game::MassEffect1, Game::MassEffect2]),
        ),
        ("ar.versions().game().has_no_name_flags()", game.has_no_name_flags().to_string()),
        ("ar.versions().file()", file.to_string()),
        ("ar.versions().licensee()", versions.licensee().to_string()),
        ("ar.versions().ue4()", versions.ue4().to_string()),
        ("ar.versions().ue5()", versions.ue5().to_string()),
    ];
    let cooked = match game.has_no_name_flags() && versions.licensee() >= 194 {
        true => format!("(package_flags & {}) != 0", PackageFlags::COOKED.0),
        false => false.to_string(),
    };
    facts.push(("has_cooked_extra(ar, package_flags)", cooked));
    if !versions.has_compact_index() {
        facts.push(("serial_size.value", "serial_size".to_owned()));
    }
    facts
}
