//! upk
fn main() {}
