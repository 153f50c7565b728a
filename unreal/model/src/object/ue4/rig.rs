//! Control rigs: hierarchies of what they move, and the machine that runs them.

use super::condition::custom as custom_version;
use crate::Archive;
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
    pub mod element {}
    pub mod hierarchy { "RigHierarchy" => RigHierarchy; }
    pub mod instruction {}
    pub mod link { "RigVMLink" => RigVmLink; }
    pub mod machine { "RigVM" => RigVm; }
    pub mod metadata {}
}

/// Whether a rig's class holds its machine behind what every class has. Cooked ones may have a blueprint's tags
/// between the two.
fn stores_machine(versions: &Versions) -> bool {
    let main = versions.custom(&custom::UE5_MAIN);
    main >= custom::ue5_main::RIG_VM_MEMORY_STORAGE_OBJECT && !versions.cooked()
}

/// The version of control rigs.
fn rig<A: Archive + ?Sized>(ar: &A) -> i32 {
    custom_version(ar, custom::CONTROL_RIG)
}

/// The version of the machine.
fn rig_vm<A: Archive + ?Sized>(ar: &A) -> i32 {
    custom_version(ar, custom::RIG_VM)
}

/// Whether what was compiled says which registers show what others hold.
fn has_debug_registers<A: Archive + ?Sized>(ar: &A) -> bool {
    let release = custom_version(ar, custom::UE5_RELEASE);
    let main = custom_version(ar, custom::FORTNITE_MAIN);
    let said = release >= custom::ue5_release::RIG_VM_SAVE_DEBUG_MAP_IN_GRAPH_FUNCTION_DATA
        || main >= custom::fortnite_main::RIG_VM_SAVE_DEBUG_MAP_IN_GRAPH_FUNCTION_DATA;
    said && rig_vm(ar) < custom::rig_vm::DEBUG_OPERAND_MAPPING_SIMPLIFIED
}
