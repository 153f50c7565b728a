//! Intel's encoder of blocks, which pictures are compared with, has parts in C++ and does not name their library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-tests=-lstdc++");
    }
}
