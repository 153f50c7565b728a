//! Definitions for Kaitai Struct of what packages hold.

use crate::archive::layout::Layout;
use crate::archive::print::kaitai::{DefinitionGround, StoredAs, definition_on};
use crate::primitive::{ObjectFlags, PackageFlags};
use crate::version::threshold::{self, ue4, ue5};
use crate::version::{Game, UnrealVersions};
use crate::{Archived, Versions};

/// The definition of `layout` in packages of these versions, from its first byte on: a `.ksy` file.
///
/// What a function of a type's own stores is a remark, but for those of the summary and of the tables' rows.
///
/// ```
/// use unreal_packages::table::Export;
/// use unreal_packages::version::UnrealVersions;
/// use unreal_packages::{Archived, Versions, kaitai_definition};
///
/// let definition = kaitai_definition(Export::LAYOUT, &Versions::ue1_to_3(69, 0));
/// assert!(definition.contains("  - id: object_name\n    type: name\n"));
/// ```
pub fn kaitai_definition(layout: &'static Layout, versions: &Versions) -> String {
    let is_compact = versions.has_compact_index();
    let index = if is_compact { "type: index" } else { "type: s4" };
    let wide = |is_wide: bool| if is_wide { "type: s8" } else { index };
    let size = wide(versions.ue4() >= ue4::EXPORT_MAP_SERIAL_SIZES_64_BIT);
    let has_wide_flags = ObjectFlags::LAYOUT.size(versions) == Some(8);
    let flags = if has_wide_flags { "type: u8" } else { "type: u4" };
    let number = match is_compact || versions.file() < threshold::NAME_NUMBER_ADDED {
        true => "",
        false => "    - id: number\n      type: s4\n",
    };
    let value = if is_compact { ".value" } else { "" };
    let name = format!("    seq:\n    - id: index\n      {index}\n{number}");
    let characters = format!(
        "    seq:\n    - id: length\n      {index}\n    - id: characters\n      type: strz\n      \
         size: length{value}\n      encoding: ISO-8859-1\n      if: length{value} > 0\n    \
         - id: wide_characters\n      type: strz\n      size: length{value} * -2\n      \
         encoding: UTF-16{}\n      if: length{value} < 0\n",
        if versions.byte_order.is_big() { "BE" } else { "LE" }
    );
    // Of packages that do not say their versions the caller knows them.
    let is_early = versions.ue5() < ue5::PACKAGE_SAVED_HASH;
    let file_versions = FILE_VERSIONS.replace("IS_EARLY", &is_early.to_string());
    definition_on(
        layout,
        versions,
        &DefinitionGround {
            attributes: &[
                ("Index", index),
                ("PackageIndex", index),
                ("WideIndex", size),
                ("Name", "type: name"),
                ("FString", "type: f_string"),
                ("FileVersions", "type: file_versions"),
                ("Tag", "type: u4"),
                ("PackageFlags", "type: u4"),
                ("ExportFlags", "type: u4"),
                ("ObjectFlags", flags),
            ],
            types: &[
                ("index", INDEX),
                ("name", &name),
                ("f_string", &characters),
                ("custom_versions", CUSTOM_VERSIONS),
                ("file_versions", &file_versions),
            ],
            transparent: &["Rare"],
            functions: &[
                ("hash", StoredAs::Attributes("size: 20")),
                ("package_flags", StoredAs::AsItsType),
                ("saved_by", StoredAs::AsItsType),
                ("PackageIndex::fixed", StoredAs::Attributes("type: s4")),
                ("array::counted_i32", StoredAs::Counted),
                (
                    "CustomVersions::serialize_plain",
                    StoredAs::Attributes("type: custom_versions(-9)"),
                ),
            ],
            facts: &facts(versions),
            count: (index, value),
        },
    )
}

/// What the version decides is decided here.
fn facts(versions: &Versions) -> Vec<(&'static str, String)> {
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

/// A compact index: six bits and a sign, then up to four times seven bits.
const INDEX: &str = "    seq:
    - id: first
      type: u1
    - id: second
      type: u1
      if: has_second
    - id: third
      type: u1
      if: has_third
    - id: fourth
      type: u1
      if: has_fourth
    - id: fifth
      type: u1
      if: has_fifth
    instances:
      has_second:
        value: (first & 64) != 0
      has_third:
        value: \"has_second ? (second & 128) != 0 : false\"
      has_fourth:
        value: \"has_third ? (third & 128) != 0 : false\"
      has_fifth:
        value: \"has_fourth ? (fourth & 128) != 0 : false\"
      magnitude:
        value: \"(first & 63) + (has_second ? (second & 127) * 64 : 0) + (has_third ? (third & 127) * 8192 : 0) \\
          + (has_fourth ? (fourth & 127) * 1048576 : 0) + (has_fifth ? (fifth & 31) * 134217728 : 0)\"
      value:
        value: \"(first & 128) != 0 ? -magnitude : magnitude\"
";

/// The list of custom versions, in the form that the header's number says.
const CUSTOM_VERSIONS: &str = "    params:
    - id: form
      type: s4
    seq:
    - id: count
      type: u4
    - id: rows
      type: row
      repeat: expr
      repeat-expr: count
    types:
      row:
        seq:
        - id: tag
          type: u4
          if: _parent.form == -2
        - id: key
          size: 16
          if: _parent.form != -2
        - id: version
          type: s4
        - id: friendly_name
          type: f_string
          if: _parent.form <= -3 and _parent.form >= -5
";

/// The versions at the start: their first number says which others there are.
const FILE_VERSIONS: &str = "    seq:
    - id: legacy_file_version
      type: s4
    - id: legacy_ue3_version
      type: s4
      if: is_later and legacy_file_version != -4
    - id: ue4
      type: s4
      if: is_later
    - id: ue5
      type: s4
      if: is_later and legacy_file_version <= -8
    - id: licensee
      type: s4
      if: is_later
    - id: custom_versions
      type: custom_versions(legacy_file_version)
      if: is_later and legacy_file_version <= -2 and IS_EARLY
    instances:
      is_later:
        value: legacy_file_version < 0 and legacy_file_version >= -16
";
