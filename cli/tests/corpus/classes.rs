//! `upk classes` and `upk check-layout` on real packages.

use std::path::Path;

use crate::common::upk;
use crate::folders::corpus;

pub fn classes_of_real_packages_are_shown_and_compared() {
    let path = |name: &str| corpus().join(name).to_str().unwrap().to_owned();
    let core = path("classic/868_0_Core.u");
    let run = upk(&["classes", &core, "Object"]).exits(0);
    assert!(run.out.contains("native, flags 0x193, 60 bytes"), "{run:?}");
    let (old, new) = (path("conform/UWindow_gen15.u"), path("conform/UWindow_gen24.u"));
    let run = upk(&["check-layout", &old, &new]).exits(0);
    assert!(run.out.contains("added History: string[32]"), "{run:?}");
    upk(&["check-layout", &old, &old]).exits(0);
    upk(&["classes", &core, "NoSuchClass"]).exits(1);
    assert!(Path::new(&core).exists());
}
