//! Control rigs: hierarchies of what they move, and the machine that runs them.

use crate::object::registry::classes;
use crate::version::{UnrealVersions, Versions, custom};

classes! {
    pub mod bag {}
    pub mod class {
        "ControlRigBlueprintGeneratedClass" if stores_machine => RigVmClass;
        "RigVMBlueprintGeneratedClass" if stores_machine => RigVmClass;
        "RigVMMemoryStorageGeneratorClass" => RigMemoryClass;
    }
    pub mod control {}
    pub mod element { also RigParent; }
    pub mod hierarchy { "RigHierarchy" => RigHierarchy; }
    pub mod instruction {}
    pub mod link { "RigVMLink" => RigVmLink; }
    pub mod machine { "RigVM" => RigVm; }
    pub mod metadata {}
    pub mod rig_version {}
}

/// Whether a rig's class holds its machine behind what every class has. Cooked ones may have a blueprint's tags
/// between the two.
fn stores_machine(versions: &Versions) -> bool {
    let main = versions.custom(&custom::UE5_MAIN);
    main >= custom::ue5_main::RIG_VM_MEMORY_STORAGE_OBJECT && !versions.cooked()
}
