//! Cubes as DDS files, both ways.

use crate::common;

use common::Folder;
use common::cube::cube;

#[test]
fn cubes_go_out_and_in_as_dds_files() {
    let folder = Folder::new();
    let before = cube("Sky");
    folder.write("Sky.uasset", &before);
    let out = folder.arg("out");
    folder.run("extract", "Sky.uasset", &["-o", &out, "--dds"]).exits(0);
    let mut file = std::fs::read(folder.path("out/Sky.dds")).unwrap();
    // The header of Direct3D 9, six faces of 16 and 4 bytes.
    assert_eq!((file.len(), &file[112..116]), (128 + 6 * 20, &[0, 0xfe, 0, 0][..]));
    let dds = folder.arg("out/Sky.dds");
    let same = folder.run("import", "Sky.uasset", &["Sky", &dds, "--dry-run"]).exits(0);
    assert!(same.out.contains("the picture is the one that is there"), "{same:?}");
    *file.last_mut().unwrap() ^= 1;
    std::fs::write(folder.path("out/Sky.dds"), &file).unwrap();
    folder.run("import", "Sky.uasset", &["Sky", &dds, "--in-place"]).exits(0);
    let after = std::fs::read(folder.path("Sky.uasset")).unwrap();
    let differ = after.iter().zip(&before).filter(|(one, other)| one != other).count();
    assert_eq!((after.len(), differ), (before.len(), 1));
    // One face more or less is no cube.
    file[113] = 0x06;
    std::fs::write(folder.path("out/Sky.dds"), &file).unwrap();
    let args = ["Sky", &dds, "--in-place"];
    let refused = folder.run("import", "Sky.uasset", &args).exits(1);
    assert!(refused.err.contains("1 of the 6 faces"), "{refused:?}");
}
