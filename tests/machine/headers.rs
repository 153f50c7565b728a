//! C++ headers of made packages.

use unreal_packages::environment::Classes;
use unreal_packages::package::Package;

use crate::common::game::base_code;
use crate::common::headers::compile;

pub fn headers_compile() {
    let mut classes = Classes::default();
    classes.add(&Package::from_bytes(base_code()).unwrap(), "Base");
    compile("", &classes.cpp_header("base", &[]), "#define CHECK_LAYOUTS");
}
