//! Tables as workbooks (`.xlsx`), and back. Those that a program for tables would write are made by another crate.

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
use unreal_packages::content::{
    PackageContents, TableChange, TableEdits, TableFormat, rows_from, strings_from,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::NewAsset;
use unreal_packages::package::Package;
use unreal_packages::{EngineRelease, Result};

const ROWS: &str = "---,Damage:float,Count:uint64,Rare:bool,Title:string\n\
    Sword,12.5,18446744073709551615,True,\"_x0041_ \u{1}\n\"\n\
    Axe,-0.0,9007199254740993,False, two blanks  \n\
    Bow,1e-45,7,True,😀 and more\n";

fn table(rows: &[u8], format: TableFormat) -> Package {
    let rows = rows_from(rows, format, "/Script/Game.Weapon", &[]).unwrap();
    NewAsset::data_table("/Game/DT", rows).build(EngineRelease::new(5, 4)).unwrap()
}

fn file(package: &Package, format: TableFormat) -> Vec<u8> {
    let row = package.find_export("DT").unwrap();
    package.contents().table(row).unwrap().with_types().file(format).unwrap()
}

fn replace(package: &mut Package, file: &[u8]) -> Result<TableChange> {
    assert_eq!(TableFormat::detect(file), TableFormat::Xlsx);
    let row = package.find_export("DT").unwrap();
    package.edit(|edit| edit.replace_table(row, file, TableFormat::Xlsx))
}

fn csv(package: &Package) -> String {
    String::from_utf8(file(package, TableFormat::Csv)).unwrap()
}

#[test]
fn what_goes_out_comes_back_as_it_was() {
    let mut package = table(ROWS.as_bytes(), TableFormat::Csv);
    let before = package.to_bytes().unwrap();
    let workbook = file(&package, TableFormat::Xlsx);
    assert_eq!(replace(&mut package, &workbook).unwrap(), TableChange::default());
    assert!(package.to_bytes().unwrap() == before);
    // The types of its columns make another table of it.
    assert_eq!(csv(&table(&workbook, TableFormat::Xlsx)), csv(&package));
    assert!(file(&package, TableFormat::Xlsx) == workbook, "it says when it was made");
}

#[test]
fn string_tables_are_made_of_workbooks() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in
        (0..).zip([["Key", "SourceString"], ["Start", "Start!"], ["Quit", "Ende, aus"]])
    {
        for (column, cell) in (0..).zip(cells) {
            sheet.write(row, column, cell).unwrap();
        }
    }
    let file = book.save_to_buffer().unwrap();
    let (namespace, texts) = strings_from(&file, TableFormat::Xlsx).unwrap();
    assert_eq!(namespace, None);
    let pair = |key: &str, text: &str| (key.to_owned(), text.to_owned());
    assert_eq!(texts, [pair("Start", "Start!"), pair("Quit", "Ende, aus")]);
}

/// A workbook as somebody has saved it: the heads, one row, and what else is written.
fn saved(
    write: impl Fn(&mut Workbook) -> std::result::Result<(), rust_xlsxwriter::XlsxError>,
) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (column, cell) in (0..).zip(["---", "Damage", "Count", "Rare", "Title"]) {
        sheet.write(0, column, cell).unwrap();
    }
    write(&mut book).unwrap();
    book.save_to_buffer().unwrap()
}

#[test]
fn cells_count_by_their_kind_and_rows_by_their_names() {
    let mut package = table(ROWS.as_bytes(), TableFormat::Csv);
    let file = saved(|book| {
        let sheet = book.worksheet_from_index(0)?;
        // An empty line, a formula with its value, numbers that are text, and another sheet.
        sheet.write(2, 0, "Bow")?.write(2, 1, 3)?.write(2, 2, "8")?.write(2, 3, false)?;
        sheet.write(2, 4, Formula::new("=\"Long\"&\"bow\"").set_result("Longbow"))?;
        book.add_worksheet().write(0, 0, "Notes")?;
        Ok(())
    });
    let change = replace(&mut package, &file).unwrap();
    assert_eq!((change.cells, change.added, change.removed), (4, 0, 2));
    let row = package.find_export("DT").unwrap();
    let table = package.contents().table(row).unwrap();
    let cells = ["Damage", "Count", "Rare", "Title"].map(|column| table.cell(0, column).unwrap());
    assert_eq!(cells, ["3.0", "8", "False", "Longbow"]);
}

#[test]
fn cells_that_can_not_be_meant_are_named() {
    let mut package = table(ROWS.as_bytes(), TableFormat::Csv);
    let before = package.to_bytes().unwrap();
    let date = Format::new().set_num_format("yyyy-mm-dd");
    for (words, file) in [
        (
            "the cell B2 is a date",
            saved(|book| {
                let day = ExcelDateTime::from_ymd(2026, 11, 28)?;
                book.worksheet_from_index(0)?.write_with_format(1, 1, &day, &date).map(drop)
            }),
        ),
        (
            "the cell B2 is an error of a formula",
            saved(|book| {
                let formula = Formula::new("=1/0").set_result("#DIV/0!");
                book.worksheet_from_index(0)?.write(1, 1, formula).map(drop)
            }),
        ),
        (
            "the cell AB3 stands below no head",
            saved(|book| book.worksheet_from_index(0)?.write(2, 27, 1).map(drop)),
        ),
        (
            "'Damage' stands twice",
            saved(|book| book.worksheet_from_index(0)?.write(0, 9, "Damage").map(drop)),
        ),
        (
            "begins with 'Weapons'",
            saved(|book| book.worksheet_from_index(0)?.write(0, 0, "Weapons").map(drop)),
        ),
        ("the workbook is damaged", b"PK\x03\x04 and no more".to_vec()),
    ] {
        let why = replace(&mut package, &file).unwrap_err().to_string();
        assert!(why.contains(words), "{words}: {why}");
        assert!(package.to_bytes().unwrap() == before, "{words}");
    }
}

#[test]
fn what_no_cell_holds_is_refused() {
    for (length, fits) in [(32_767, true), (32_768, false)] {
        let rows = format!("---,Title:string\nSword,{}\n", "x".repeat(length));
        let package = table(rows.as_bytes(), TableFormat::Csv);
        let row = package.find_export("DT").unwrap();
        let made = package.contents().table(row).unwrap().file(TableFormat::Xlsx);
        assert_eq!(made.is_ok(), fits, "{length}");
        if let Err(why) = made {
            assert!(why.to_string().contains("no workbook: B2: "), "{why}");
        }
    }
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    use std::io::Write;
    use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

    let mut parts = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    parts.start_file("xl/sharedStrings.xml", options).unwrap();
    let empty = [b' '; 1 << 20];
    (0..257).for_each(|_| parts.write_all(&empty).unwrap());
    let file = parts.finish().unwrap().into_inner();
    let mut package = table(ROWS.as_bytes(), TableFormat::Csv);
    let why = replace(&mut package, &file).unwrap_err().to_string();
    assert!(why.contains("unpacks to more than 268435456 bytes"), "{why}");
}
