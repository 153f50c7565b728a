//! Input that is made to break things: exit codes 1 and 2, nothing of the program's inside on the terminal.

use unreal_packages::generate::Builder;

use crate::common::{Folder, small_package, upk};

/// A BMP file of 8 by 2 pixels with a palette.
fn bmp(bits: u16, compression: u32, data: &[u8]) -> Vec<u8> {
    let colors = 1u32 << bits;
    let start = 54 + 4 * colors;
    let mut file = b"BM".to_vec();
    for number in
        [start + data.len() as u32, 0, start, 40, 8, 2, 1 | u32::from(bits) << 16, compression]
    {
        file.extend(number.to_le_bytes());
    }
    file.extend([0; 20]);
    for color in 0..colors {
        file.extend((color * 0x10_1010).to_le_bytes());
    }
    file.extend(data);
    file
}

/// Games of UE3 call their maps as UE4 does; what a package is decides, and what its game calls it.
#[test]
fn a_package_may_be_called_as_its_game_calls_it() {
    let folder = Folder::new();
    folder.write("Map.umap", small_package(868));
    folder.write("Mod.u", small_package(69));
    let rest = |out: &str| ["Brightness".to_owned(), "-o".to_owned(), folder.arg(out)];
    let add = |input: &str, out: &str| {
        let rest = rest(out);
        folder.run("add-name", input, &[&rest[0], &rest[1], &rest[2]])
    };
    add("Map.umap", "Out.umap").exits(0);
    add("Map.umap", "Out.upk").exits(0);
    folder.run("verify", "Out.umap", &[]).exits(0);
    upk(&["to-json", &folder.arg("Map.umap"), "-o", &folder.arg("Map.json")]).exits(0);
    upk(&["from-json", &folder.arg("Map.json"), "-o", &folder.arg("Again.umap")]).exits(0);
    assert_eq!(folder.read("Again.umap"), folder.read("Map.umap"));
    for (input, out) in [("Map.umap", "Out.uasset"), ("Mod.u", "No.umap"), ("Mod.u", "No.uasset")] {
        let run = add(input, out).exits(2);
        assert!(run.err.contains("give it the extension of what it is"), "{run:?}");
    }
    // Another extension that nobody else uses for such packages, in a game that does.
    folder.write("Odd.uasset", small_package(69));
    add("Odd.uasset", "OddOut.uasset").exits(0);
}

#[test]
fn textures_come_of_bmp_files_with_small_palettes() {
    let folder = Folder::new();
    folder.write("one.bmp", bmp(1, 0, &[0xaa, 0, 0, 0, 0x55, 0, 0, 0]));
    folder.write("four.bmp", bmp(4, 0, &[0x01, 0x23, 0x45, 0x67, 0x76, 0x54, 0x32, 0x10]));
    folder.write("runs.bmp", bmp(4, 2, &[8, 0x12, 0, 0, 8, 0x34, 0, 1]));
    let files = ["one.bmp", "four.bmp", "runs.bmp"].map(|name| folder.arg(name));
    let out = folder.arg("Out.utx");
    let args: Vec<&str> =
        ["new", "textures", "-o", &out].into_iter().chain(files.iter().map(|f| &**f)).collect();
    upk(&args).exits(0);
    folder.run("verify", "Out.utx", &[]).exits(0);
    folder.write("bad.bmp", bmp(4, 2, &[8, 0x12, 9, 0x11]));
    let run = upk(&["new", "textures", "-o", &folder.arg("No.utx"), &folder.arg("bad.bmp")]);
    assert!(matches!(run.code, 1 | 2) && !run.err.contains("panicked"), "{run:?}");
}

#[test]
fn names_of_any_length_are_listed() {
    let folder = Folder::new();
    let mut builder = Builder::new(868);
    let (mut group, long) = (String::new(), "N".repeat(1_020));
    for depth in 0..80 {
        let part = format!("{long}{depth:03}");
        group = if depth == 0 { part } else { format!("{group}.{part}") };
        builder = builder.export(&group, "Core.Package", []);
    }
    let deep = builder.build();
    folder.write("Deep.u", deep.unwrap());
    let run = folder.run("list", "Deep.u", &[]).exits(0);
    let longest = run.out.lines().map(str::len).max().unwrap();
    // Deeper ones are their own name and row.
    assert!(longest > 4_000 && longest < 4_500, "{longest}");
    assert!(run.out.lines().nth(1).unwrap().len() < 2_000 && run.out.contains(" #60"), "{longest}");
}

#[test]
fn damaged_oodle_mappings_are_an_error_of_one_line() {
    let folder = Folder::with_mod();
    let mut noise = 5u64;
    for _ in 0..40 {
        let mut block = vec![0x8c, 10, 0, 0, 0x40, 0x80];
        block.extend((0..80).map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 40) as u8
        }));
        let mut file = vec![0xc4, 0x30, 0, 1];
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(0x1000u32.to_le_bytes());
        file.extend(block);
        folder.write("Bad.usmap", file);
        let run = folder.run("info", "Mod.u", &["--mappings", &folder.arg("Bad.usmap")]).exits(2);
        assert!(run.err.lines().count() == 1 && !run.err.contains("panicked"), "{run:?}");
    }
}

#[test]
fn the_limit_of_what_comes_out_can_be_set() {
    let folder = Folder::new();
    let plain = Builder::new(868).export("Blank", "Core.TextBuffer", vec![0; 0x2_0000]).build();
    folder.write("Mod.upk", plain.unwrap());
    let packed = folder.arg("Packed.upk");
    folder.run("compress", "Mod.upk", &["--with", "zlib", "-o", &packed]).exits(0);
    let run = folder.run("info", "Packed.upk", &["--max-image", "100K"]).exits(2);
    assert!(run.err.contains("--max-image") && run.err.contains("102400"), "{run:?}");
    folder.run("info", "Packed.upk", &["--max-image", "1M"]).exits(0);
    folder.run("info", "Packed.upk", &["--max-image", "1X"]).exits(2);
    let redirect = folder.arg("Mod.upk.uz3");
    folder.run("compress", "Mod.upk", &["--as", "uz3", "-o", &redirect]).exits(0);
    let back = folder.arg("Back.upk");
    folder.run("decompress", "Mod.upk.uz3", &["-o", &back, "--max-image", "1K"]).exits(1);
    folder.run("decompress", "Mod.upk.uz3", &["-o", &back]).exits(0);
    assert_eq!(folder.read("Back.upk"), folder.read("Mod.upk"));
}
