//! Prints what packages hold: names, imports, exports.
//!
//! ```text
//! cargo run --example dump -- FILE...
//! ```
//! Without a file it builds a small package in memory and prints that one.

use unreal_packages::Package;
use unreal_packages::generate::Builder;
use unreal_packages::version::UnrealVersions;

fn main() -> unreal_packages::Result<()> {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        let bytes = Builder::new(69)
            .export("Texts", "Core.Package", [])
            .export("Texts.Welcome", "Engine.TextBuffer", *b"\0not a real text buffer")
            .build()?;
        return print("a package made in memory", &Package::from_bytes(bytes)?);
    }
    files.iter().try_for_each(|file| print(&file.to_string_lossy(), &Package::open(file)?))
}

fn print(title: &str, package: &Package) -> unreal_packages::Result<()> {
    println!(
        "{title}: version {}, {}, GUID {}",
        package.versions(),
        package.versions().game(),
        package.guid()
    );
    println!("names");
    for (row, name) in package.names().iter().enumerate() {
        println!("  {row:4} {name}");
    }
    println!("imports");
    for import in package.imports().iter() {
        println!("  {:4} {} ({})", import.row(), import.path(), import.class());
    }
    println!("exports");
    for export in package.exports().iter() {
        let (row, size) = (export.row(), export.body().len());
        println!("  {row:4} {} ({}), {size} bytes", export.path(), export.class());
    }
    Ok(())
}
