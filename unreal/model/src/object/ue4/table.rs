//! Tables.

use crate::object::registry::classes;

classes! {
    pub mod curve_table {
        "CurveTable" => CurveTable;
        "CompositeCurveTable" => CurveTable;
    }
    pub mod data_table {
        "DataTable" => DataTable(facts);
        "CompositeDataTable" => DataTable(facts);
        "MirrorDataTable" => DataTable(facts);
    }
    pub mod string_table { "StringTable" => StringTable; }
}
