//! Workbooks whose parts are damaged are read or refused. Damage of the whole file ends at its checksums, so that the parts are
//! packed anew around it.

use std::io::{Cursor, Read, Write};

use proptest::prelude::*;
use unreal_packages::content::{TableFormat, strings_from};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// The parts of a workbook.
fn parts() -> Vec<(String, Vec<u8>)> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (column, head) in (0..).zip(["Key", "SourceString", "Note"]) {
        sheet.write(0, column, head).unwrap();
    }
    sheet.write(1, 0, "Start").unwrap().write(1, 1, 12.5).unwrap().write(1, 2, true).unwrap();
    sheet.write(2, 0, "Quit").unwrap().write(2, 1, "Ende").unwrap();
    let file = book.save_to_buffer().unwrap();
    let mut parts = ZipArchive::new(Cursor::new(file)).unwrap();
    (0..parts.len())
        .map(|at| {
            let mut part = parts.by_index(at).unwrap();
            let mut bytes = Vec::new();
            part.read_to_end(&mut bytes).unwrap();
            (part.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

fn packed(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in parts {
        file.start_file(name.as_str(), options).unwrap();
        file.write_all(bytes).unwrap();
    }
    file.finish().unwrap().into_inner()
}

fn read(file: &[u8]) -> bool {
    strings_from(file, TableFormat::Xlsx).is_ok()
}

#[test]
fn every_byte_of_every_part_may_be_another() {
    let parts = parts();
    assert!(read(&packed(&parts)));
    let (mut read_all, mut refused) = (0, 0);
    for part in 0..parts.len() {
        for at in 0..parts[part].1.len() {
            for byte in [0, b'<', b'>', b'"', b'/', b'9', b'A', 0xff] {
                let mut changed = parts.clone();
                changed[part].1[at] = byte;
                match read(&packed(&changed)) {
                    true => read_all += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(read_all > 0 && refused > 0, "{read_all} read, {refused} refused");
}

#[test]
fn parts_may_be_missing_empty_or_cut() {
    let parts = parts();
    for part in 0..parts.len() {
        let mut without = parts.clone();
        without.remove(part);
        read(&packed(&without));
        for length in 0..parts[part].1.len() {
            let mut cut = parts.clone();
            cut[part].1.truncate(length);
            read(&packed(&cut));
        }
    }
}

/// A sheet of these cells in place of the one that is there.
fn with_sheet(cells: &str) -> Vec<u8> {
    let mut parts = parts();
    let sheet = parts.iter_mut().find(|(name, _)| name.contains("sheet1.xml")).unwrap();
    sheet.1 = format!(
        "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><dimension ref=\"A1:XFD1048576\"/>\
         <sheetData>{cells}</sheetData></worksheet>"
    )
    .into_bytes();
    packed(&parts)
}

#[test]
fn cells_far_away_claim_no_memory() {
    let head = "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>Key</v></c><c r=\"B1\" t=\"str\"><v>SourceString</v></c></row>";
    let far = "<row r=\"1048576\"><c r=\"A1048576\" t=\"str\"><v>Far</v></c><c r=\"B1048576\"><v>1</v></c></row>";
    let (_, texts) = strings_from(&with_sheet(&format!("{head}{far}")), TableFormat::Xlsx).unwrap();
    assert_eq!(texts, [("Far".to_owned(), "1".to_owned())]);
    let twice = "<row r=\"2\"><c r=\"A2\"><v>1</v></c><c r=\"A2\"><v>2</v></c></row>";
    let why = strings_from(&with_sheet(&format!("{head}{twice}")), TableFormat::Xlsx).unwrap_err();
    assert!(why.to_string().contains("the cell A2 is there twice"), "{why}");
}

proptest! {
    #[test]
    fn any_cells_are_read_or_refused(
        cells in prop::collection::vec(("[A-Z]{0,4}[0-9]{0,8}", "s|str|b|e|d|n|inlineStr|", "[-0-9.eE#NA]{0,9}"), 0..12)
    ) {
        let cells: String = cells
            .iter()
            .map(|(place, kind, value)| format!("<row><c r=\"{place}\" t=\"{kind}\"><v>{value}</v></c></row>"))
            .collect();
        read(&with_sheet(&cells));
    }
}
