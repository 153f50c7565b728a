//! Objects of real packages as Rust structs.

use crate::common::structs::load_and_save;
use crate::folders::{corpus, every};

pub fn objects_are_loaded_and_saved_as_structs() {
    let files = [
        "classic/820_0_Core.u",
        "classic/68_0_FemJC.u",
        "classic/864_0_UDKBase.u",
        "classic/69_0_C4.u",
        "conform/UWindow_gen24.u",
    ];
    for file in files.into_iter().step_by(every(2)) {
        let rounds = load_and_save(&corpus().join(file), &[]);
        assert!(rounds.objects > 0 && rounds.same == rounds.objects, "{file}: {rounds:?}");
        assert!(rounds.fields > 0, "{file}: {rounds:?}");
    }
}
