//! Code of the machine that runs rigs.

use super::rig_version::rig_vm;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::{custom as custom_version, fixed, when};
use crate::primitive::{FString, Name, array};
use crate::version::custom::{self, rig_vm as version};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Where a value is. C++: `FRigVMOperand`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct RigOperand {
    /// The memory. C++: `ERigVMMemoryType`.
    pub memory: u8,
    /// The register in it.
    pub register: u16,
    /// Which path within the register, 65535 for all of it.
    pub offset: u16,
}

/// The code of a rig. C++: `FRigVMByteCode`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigCode {
    /// The instructions.
    #[archive(with = array::counted_i32)]
    pub instructions: Vec<RigInstruction>,
    /// Events where it can begin.
    #[since(custom = custom::ANIM, custom::anim::SERIALIZE_RIG_VM_ENTRIES)]
    #[archive(with = array::counted_i32)]
    pub entries: Vec<FString>,
    /// Parts that run only when their value is asked for.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::RIG_VM_LAZY_EVALUATION)]
    #[archive(with = array::counted_i32)]
    pub branches: Vec<RigBranch>,
    /// Parts that are called.
    #[since(custom = custom::RIG_VM, version::RIG_VM_CALLABLES)]
    #[archive(with = array::counted_i32)]
    pub callables: Vec<RigCallable>,
    /// The struct that functions are given, as a text.
    #[since(custom = custom::RIG_VM, version::VM_BYTECODE_STORE_PUBLIC_CONTEXT_PATH)]
    #[until(custom = custom::RIG_VM, version::VM_BYTECODE_STORE_PUBLIC_CONTEXT_PATH_AS_TOP_LEVEL_ASSET_PATH)]
    pub context_text: FString,
    /// The struct that functions are given: its package and name.
    #[since(custom = custom::RIG_VM, version::VM_BYTECODE_STORE_PUBLIC_CONTEXT_PATH_AS_TOP_LEVEL_ASSET_PATH)]
    pub context: [Name; 2],
}

/// A part that runs only when its value is asked for. C++: `FRigVMBranchInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigBranch {
    /// Its number.
    pub index: i32,
    /// Its name.
    pub label: FString,
    /// The instruction that asks.
    pub instruction: i32,
    /// Which of its arguments.
    pub argument: i32,
    /// First and last instruction, as they were stored first.
    #[until(custom = custom::RIG_VM, version::BYTE_CODE_CLEANUP)]
    pub short_range: [u16; 2],
    /// First and last instruction.
    #[since(custom = custom::RIG_VM, version::BYTE_CODE_CLEANUP)]
    pub range: [i32; 2],
}

/// A part that is called. C++: `FRigVMCallableInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigCallable {
    /// Its number.
    pub index: i32,
    /// Its name.
    pub name: FString,
    /// Hash of the function.
    pub hash: u32,
    /// What it takes.
    #[archive(with = array::counted_i32)]
    pub arguments: Vec<RigCallableArgument>,
    /// First and last instruction.
    pub range: [i32; 2],
}

/// What a part that is called takes. C++: `FRigVMCallableArgument`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigCallableArgument {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: FString,
    /// Where it is within.
    pub interface: RigOperand,
    /// Where it comes from.
    pub forwarded: RigOperand,
    /// Whether it goes in or out. C++: `ERigVMPinDirection`.
    pub direction: u8,
}

/// The numbers of instructions. C++: `ERigVMOpCode`.
const LAST_EXECUTE_OF_ARGUMENTS: u8 = 64;
const COPY: u8 = 68;
const CHANGE_TYPE: u8 = 79;
const EXIT: u8 = 80;
const END_BLOCK: u8 = 82;
const INVOKE_ENTRY: u8 = 99;
const JUMP_TO_BRANCH: u8 = 100;
const EXECUTE: u8 = 101;
const RUN_INSTRUCTIONS: u8 = 102;
const INVALID: u8 = 104;

/// An instruction: its number decides what it has. C++: `FRigVMBaseOp` and what derives from it.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigInstruction {
    /// What it does, stored twice where anything follows. C++: `ERigVMOpCode`.
    pub opcode: u8,
    /// The function that is called.
    pub function: u16,
    /// First predicate and number of them.
    pub predicates: [u16; 2],
    /// What it works on.
    pub operands: Vec<RigOperand>,
    /// Bytes that are copied, as they were counted first.
    pub bytes: u16,
    /// Kind of the register that is copied. C++: `ERigVMRegisterType`.
    pub register_type: u8,
    /// Where it goes on: an instruction, a distance, or the first branch.
    pub target: i32,
    /// The last instruction that is run.
    pub last: i32,
    /// What the value must be for a jump.
    pub condition: bool,
    /// The event that is run.
    pub entry: FString,
}

impl Archived for RigInstruction {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("opcode", ar, |ar| ar.serialize_u8(&mut self.opcode))?;
        let opcode = self.opcode;
        if opcode >= INVALID {
            return Err(
                ar.error(ErrorKind::NonCanonical { form: "an instruction of unknown number" })
            );
        }
        let is_bare = matches!(opcode, CHANGE_TYPE | EXIT | END_BLOCK | INVOKE_ENTRY);
        if !is_bare {
            let mut again = opcode;
            in_field("opcode_again", ar, |ar| ar.serialize_u8(&mut again))?;
            if again != opcode {
                let form = "an instruction that is not what it says before";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            }
        }
        let executes = opcode <= LAST_EXECUTE_OF_ARGUMENTS || opcode == EXECUTE;
        when(executes, &mut self.function, "function", ar)?;
        let mut count = operand_count(opcode);
        if opcode == EXECUTE {
            let length = self.operands.len();
            let too_many = ErrorKind::OutOfRange { value: length as i128, bits: 16 };
            let mut number = u16::try_from(length).map_err(|_| ar.error(too_many))?;
            in_field("operand_count", ar, |ar| ar.serialize_u16(&mut number))?;
            count = number.into();
        }
        let predicates = executes && rig_vm(ar) >= version::PREDICATES_ADDED_TO_EXECUTE_OPS;
        when(predicates, &mut self.predicates, "predicates", ar)?;
        in_field("operands", ar, |ar| fixed(&mut self.operands, count, ar))?;
        let main = custom_version(ar, custom::UE5_MAIN);
        let copies = opcode == COPY && main >= custom::ue5_main::RIG_VM_COPY_OP_STORE_NUM_BYTES;
        let counts = copies && rig_vm(ar) < version::BYTE_CODE_CLEANUP;
        when(counts, &mut self.bytes, "bytes", ar)?;
        when(copies, &mut self.register_type, "register_type", ar)?;
        let jumps = matches!(opcode, 73..=78 | JUMP_TO_BRANCH | RUN_INSTRUCTIONS);
        when(jumps, &mut self.target, "target", ar)?;
        when(opcode == RUN_INSTRUCTIONS, &mut self.last, "last", ar)?;
        when(matches!(opcode, 76..=78), &mut self.condition, "condition", ar)?;
        when(opcode == INVOKE_ENTRY, &mut self.entry, "entry", ar)
    }
}

/// How many operands an instruction has whose number alone says it.
fn operand_count(opcode: u8) -> usize {
    match opcode {
        0..=LAST_EXECUTE_OF_ARGUMENTS => opcode.into(),
        65..=67 | 69 | 70 | 76..=78 | 83 | 98 | JUMP_TO_BRANCH | RUN_INSTRUCTIONS | 103 => 1,
        COPY | 81 | 84 | 85 | 90 | 92 | 93 | 95 => 2,
        71 | 72 | 86..=89 | 96 | 97 => 3,
        91 => 4,
        94 => 6,
        _ => 0,
    }
}
