//! Definitions for Kaitai Struct of what packages hold.

use super::facts::facts;
use crate::archive::layout::Layout;
use crate::archive::print::StoredAs;
use crate::archive::print::kaitai::{DefinitionGround, definition_on};
use crate::primitive::ObjectFlags;
use crate::version::UnrealVersions;
use crate::version::threshold::{self, ue4, ue5};
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
                ("hash", StoredAs::Named("size: 20")),
                ("package_flags", StoredAs::AsItsType),
                ("saved_by", StoredAs::AsItsType),
                ("PackageIndex::fixed", StoredAs::Named("type: s4")),
                ("PackageIndex::from_zero", StoredAs::Named("type: s4")),
                ("rows_from_zero", StoredAs::Counted),
                ("array::counted_i32", StoredAs::Counted),
                ("CustomVersions::serialize_plain", StoredAs::Named("type: custom_versions(-9)")),
            ],
            facts: &facts(versions),
            count: (index, value),
        },
    )
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
