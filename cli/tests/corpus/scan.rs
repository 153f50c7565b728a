//! The tables of a scan of real packages.

use crate::common::{Folder, upk};
use crate::duckdb::python;
use crate::folders::corpus;

pub fn tables_say_what_the_other_commands_say() {
    let out = Folder::new();
    let folders = ["classic", "modern", "modern-ue6"].map(|name| corpus().join(name));
    let folders: Vec<_> = folders.iter().filter(|folder| folder.is_dir()).collect();
    let folders: Vec<&str> = folders.iter().map(|folder| folder.to_str().unwrap()).collect();
    let tables = out.arg("depot");
    upk(&[&["scan", "-o", &tables], &folders[..]].concat()).exits(0);
    let args = [&[env!("CARGO_BIN_EXE_upk"), &tables], &folders[..]].concat();
    match python(include_str!("scan.py"), &args, None) {
        Ok(said) => println!("{said}"),
        Err(said) => panic!("{said}"),
    }
}
