//! C++ headers of the classes of UE3's `Core`.

use farchive::environment::Classes;
use farchive::package::Package;

use crate::common::headers::compile;
use crate::folders::corpus;

/// By file.
fn headers() -> impl Iterator<Item = (&'static str, String)> {
    ["820_0_Core.u", "865_0_Core.u", "868_0_Core.u"].into_iter().map(|file| {
        let mut classes = Classes::default();
        classes.add(&Package::open(corpus().join("classic").join(file)).unwrap(), "Core");
        (file, classes.cpp_header("Core"))
    })
}

pub fn headers_assert_the_layouts_that_were_computed() {
    for (file, header) in headers() {
        assert!(header.matches("static_assert").count() > 50, "{file}");
        assert!(header.contains("static_assert(sizeof(class UObject) == 60"), "{file}");
    }
}

pub fn headers_compile() {
    for (_, header) in headers() {
        compile(&header, "#define UE3");
    }
}
