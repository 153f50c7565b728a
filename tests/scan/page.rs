//! docs/scan.md has the columns that the tables have. `UPDATE_GOLDEN=1` writes them there.

use std::fmt::Write as _;
use std::path::Path;

use unreal_packages::scan::TableKind;

/// What stands in front of the tables of columns.
const HEADING: &str = "## Tables\n";

fn tables() -> String {
    let mut text = String::new();
    for table in TableKind::ALL {
        writeln!(text, "### {table}\n\nOne row is {}.\n", table.doc()).unwrap();
        writeln!(text, "| column | type | what it is |\n|---|---|---|").unwrap();
        for column in table.columns() {
            let optional = if column.nullable { ", or nothing" } else { "" };
            let (name, word, doc) = (column.name, column.column_type.word(), column.doc);
            writeln!(text, "| `{name}` | {word}{optional} | {doc} |").unwrap();
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn the_page_has_the_columns_of_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scan.md");
    let page = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let first = page.find("### ").unwrap_or(page.len());
    assert!(page[..first].contains(HEADING), "the page has no place for them");
    let wanted = format!("{}\n\n{}", page[..first].trim_end(), tables());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &wanted).unwrap();
        return;
    }
    assert!(page == wanted, "UPDATE_GOLDEN=1 writes the columns as they are now");
}

#[test]
fn every_column_says_what_it_is() {
    for table in TableKind::ALL {
        assert_eq!(table.columns()[0].name, "package_id");
        assert_eq!(table.schema().fields().len(), table.columns().len());
        for column in table.columns() {
            assert!(column.doc.len() >= 10 || column.name.len() <= 4, "{table}.{}", column.name);
        }
    }
    assert_eq!("Exports".parse::<TableKind>().unwrap(), TableKind::Exports);
    let error = "export".parse::<TableKind>().unwrap_err().to_string();
    assert!(error.contains("exports"), "{error}");
}
