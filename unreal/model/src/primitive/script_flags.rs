//! Flags of functions, classes, properties, structs and states of scripts, and of bulk data: words for
//! the bits, which stay numbers in the model.
//!
//! Spec: ue1-3/12 §12.2 to §12.6, ue1-3/06 §6.1, ue4-5/05 §1, ue4-5/03 §17.

use super::flag::In::{All, Classic, Ue2, Ue3, Ue4};
use super::flag::{Flag, Meaning, flag, names, parse};
use crate::error::Result;
use crate::version::{Engine, UnrealVersions};
use crate::{Archive, ArchiveExt};

/// The kind of thing that flags belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlagsOf {
    /// A function.
    Function,
    /// A class.
    Class,
    /// A property.
    Property,
    /// A struct.
    Struct,
    /// A state.
    State,
}

impl FlagsOf {
    /// The names of the flags that are set, as an engine has them, then the others as a number.
    pub fn names(self, bits: u64, engine: Engine) -> Vec<String> {
        names(bits, self.table(), engine)
    }

    /// The bits of a flag by its name, as an engine has it, or of a number (`0x20`).
    ///
    /// # Errors
    /// `NotFound` with the names that there are.
    pub fn parse(self, name: &str, engine: Engine) -> Result<u64> {
        parse(name, self.table(), engine)
    }

    fn table(self) -> &'static [Flag] {
        match self {
            Self::Function => FUNCTION,
            Self::Class => CLASS,
            Self::Property => PROPERTY,
            Self::Struct => STRUCT,
            Self::State => STATE,
        }
    }
}

macro_rules! serialized {
    ($($(#[$doc:meta])* $function:ident($bits:ty, $serialize:ident), $table:ident;)*) => { $(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $function<A: Archive + ?Sized>(bits: &mut $bits, ar: &mut A) -> Result<()> {
            ar.$serialize(bits)?;
            ar.note(&Meaning((*bits).into(), $table, ar.versions().engine()));
            Ok(())
        }
    )* };
}

serialized! {
    /// Flags of a function, four bytes. C++: `EFunctionFlags`.
    function(u32, serialize_u32), FUNCTION;
    /// Flags of a class, four bytes. C++: `EClassFlags`.
    class(u32, serialize_u32), CLASS;
    /// Flags of a property, eight bytes. C++: `EPropertyFlags`.
    property(u64, serialize_u64), PROPERTY;
    /// Flags of a struct, four bytes. C++: `EStructFlags`.
    structure(u32, serialize_u32), STRUCT;
    /// Flags of a state, four bytes. C++: `EStateFlags`.
    state(u32, serialize_u32), STATE;
    /// How bulk data is stored, four bytes. C++: `EBulkDataFlags`.
    bulk(u32, serialize_u32), BULK;
}

/// Flags of a property that stand in four bytes.
pub(crate) fn narrow_property<A: Archive + ?Sized>(bits: &mut u64, ar: &mut A) -> Result<()> {
    crate::archive::private::narrow(bits, ar, A::serialize_u32)?;
    ar.note(&Meaning(*bits, PROPERTY, ar.versions().engine()));
    Ok(())
}

const FUNCTION: &[Flag] = &[
    flag("Final", 0x1, All),
    flag("Defined", 0x2, All),
    flag("Iterator", 0x4, All),
    flag("Latent", 0x8, All),
    flag("PreOperator", 0x10, All),
    flag("Singular", 0x20, All),
    flag("Net", 0x40, All),
    flag("NetReliable", 0x80, All),
    flag("Simulated", 0x100, All),
    flag("Exec", 0x200, All),
    flag("Native", 0x400, All),
    flag("Event", 0x800, All),
    flag("Operator", 0x1000, All),
    flag("Static", 0x2000, All),
    flag("NoExport", 0x4000, Classic),
    flag("OptionalParms", 0x4000, Ue3),
    flag("Const", 0x8000, All),
    flag("Public", 0x2_0000, All),
    flag("Private", 0x4_0000, All),
    flag("Protected", 0x8_0000, All),
    flag("Delegate", 0x10_0000, Ue2),
    flag("Delegate", 0x10_0000, Ue3),
    flag("NetServer", 0x20_0000, Ue3),
    flag("HasOutParms", 0x40_0000, Ue3),
    flag("HasDefaults", 0x80_0000, Ue3),
    flag("NetClient", 0x100_0000, Ue3),
    flag("DLLImport", 0x200_0000, Ue3),
    flag("Final", 0x1, Ue4),
    flag("RequiredAPI", 0x2, Ue4),
    flag("BlueprintAuthorityOnly", 0x4, Ue4),
    flag("BlueprintCosmetic", 0x8, Ue4),
    flag("Net", 0x40, Ue4),
    flag("NetReliable", 0x80, Ue4),
    flag("NetRequest", 0x100, Ue4),
    flag("Exec", 0x200, Ue4),
    flag("Native", 0x400, Ue4),
    flag("Event", 0x800, Ue4),
    flag("NetResponse", 0x1000, Ue4),
    flag("Static", 0x2000, Ue4),
    flag("NetMulticast", 0x4000, Ue4),
    flag("UbergraphFunction", 0x8000, Ue4),
    flag("MulticastDelegate", 0x1_0000, Ue4),
    flag("Public", 0x2_0000, Ue4),
    flag("Private", 0x4_0000, Ue4),
    flag("Protected", 0x8_0000, Ue4),
    flag("Delegate", 0x10_0000, Ue4),
    flag("NetServer", 0x20_0000, Ue4),
    flag("HasOutParms", 0x40_0000, Ue4),
    flag("HasDefaults", 0x80_0000, Ue4),
    flag("NetClient", 0x100_0000, Ue4),
    flag("DLLImport", 0x200_0000, Ue4),
    flag("BlueprintCallable", 0x400_0000, Ue4),
    flag("BlueprintEvent", 0x800_0000, Ue4),
    flag("BlueprintPure", 0x1000_0000, Ue4),
    flag("EditorOnly", 0x2000_0000, Ue4),
    flag("Const", 0x4000_0000, Ue4),
    flag("NetValidate", 0x8000_0000, Ue4),
];

const CLASS: &[Flag] = &[
    flag("Abstract", 0x1, All),
    flag("Compiled", 0x2, All),
    flag("Config", 0x4, All),
    flag("Transient", 0x8, All),
    flag("Parsed", 0x10, All),
    flag("Localized", 0x20, All),
    flag("SafeReplace", 0x40, Classic),
    flag("Native", 0x80, Ue3),
    flag("NoExport", 0x100, All),
    flag("Placeable", 0x200, Ue2),
    flag("Placeable", 0x200, Ue3),
    flag("PerObjectConfig", 0x400, All),
    flag("NativeReplication", 0x800, All),
    flag("EditInlineNew", 0x1000, Ue2),
    flag("EditInlineNew", 0x1000, Ue3),
    flag("CollapseCategories", 0x2000, Ue2),
    flag("CollapseCategories", 0x2000, Ue3),
    flag("ExportStructs", 0x4000, Ue2),
    flag("Interface", 0x4000, Ue3),
    flag("Instanced", 0x20_0000, Ue2),
    flag("HasInstancedProperties", 0x20_0000, Ue3),
    flag("HideDropDown", 0x40_0000, Ue2),
    flag("CacheExempt", 0x80_0000, Ue2),
    flag("ParseConfig", 0x100_0000, Ue2),
    flag("Deprecated", 0x100_0000, Ue3),
    flag("HideDropDown", 0x400_0000, Ue3),
    flag("Abstract", 0x1, Ue4),
    flag("DefaultConfig", 0x2, Ue4),
    flag("Config", 0x4, Ue4),
    flag("Transient", 0x8, Ue4),
    flag("MatchedSerializers", 0x20, Ue4),
    flag("Native", 0x80, Ue4),
    flag("NotPlaceable", 0x200, Ue4),
    flag("PerObjectConfig", 0x400, Ue4),
    flag("ReplicationDataIsSetUp", 0x800, Ue4),
    flag("EditInlineNew", 0x1000, Ue4),
    flag("CollapseCategories", 0x2000, Ue4),
    flag("Interface", 0x4000, Ue4),
    flag("Const", 0x1_0000, Ue4),
    flag("CompiledFromBlueprint", 0x4_0000, Ue4),
    flag("MinimalAPI", 0x8_0000, Ue4),
    flag("RequiredAPI", 0x10_0000, Ue4),
    flag("DefaultToInstanced", 0x20_0000, Ue4),
    flag("TokenStreamAssembled", 0x40_0000, Ue4),
    flag("HasInstancedReference", 0x80_0000, Ue4),
    flag("Hidden", 0x100_0000, Ue4),
    flag("Deprecated", 0x200_0000, Ue4),
    flag("HideDropDown", 0x400_0000, Ue4),
    flag("GlobalUserConfig", 0x800_0000, Ue4),
    flag("Intrinsic", 0x1000_0000, Ue4),
    flag("Constructed", 0x2000_0000, Ue4),
    flag("ConfigDoNotCheckDefaults", 0x4000_0000, Ue4),
    flag("NewerVersionExists", 0x8000_0000, Ue4),
];

const PROPERTY: &[Flag] = &[
    flag("Edit", 0x1, All),
    flag("Const", 0x2, All),
    flag("Input", 0x4, All),
    flag("Export", 0x8, All),
    flag("OptionalParm", 0x10, All),
    flag("Net", 0x20, All),
    flag("EditConstArray", 0x40, Ue2),
    flag("EditFixedSize", 0x40, Ue3),
    flag("Parm", 0x80, All),
    flag("OutParm", 0x100, All),
    flag("SkipParm", 0x200, All),
    flag("ReturnParm", 0x400, All),
    flag("CoerceParm", 0x800, All),
    flag("Native", 0x1000, All),
    flag("Transient", 0x2000, All),
    flag("Config", 0x4000, All),
    flag("Localized", 0x8000, All),
    flag("Travel", 0x1_0000, All),
    flag("EditConst", 0x2_0000, All),
    flag("GlobalConfig", 0x4_0000, All),
    flag("OnDemand", 0x10_0000, Classic),
    flag("Init", 0x10_0000, Ue3),
    flag("New", 0x20_0000, Classic),
    flag("DuplicateTransient", 0x20_0000, Ue3),
    flag("NeedCtorLink", 0x40_0000, All),
    flag("NoExport", 0x80_0000, All),
    flag("Cache", 0x100_0000, Ue2),
    flag("NoImport", 0x100_0000, Ue3),
    flag("NoClear", 0x200_0000, Ue3),
    flag("EditInline", 0x400_0000, Ue2),
    flag("EditInline", 0x400_0000, Ue3),
    flag("EdFindable", 0x800_0000, Ue2),
    flag("EdFindable", 0x800_0000, Ue3),
    flag("EditInlineUse", 0x1000_0000, Ue2),
    flag("EditInlineUse", 0x1000_0000, Ue3),
    flag("Deprecated", 0x2000_0000, Ue2),
    flag("Deprecated", 0x2000_0000, Ue3),
    flag("EditInlineNotify", 0x4000_0000, Ue2),
    flag("DataBinding", 0x4000_0000, Ue3),
    flag("SerializeText", 0x8000_0000, Ue3),
    flag("RepNotify", 0x1_0000_0000, Ue3),
    flag("Interp", 0x2_0000_0000, Ue3),
    flag("NonTransactional", 0x4_0000_0000, Ue3),
    flag("EditorOnly", 0x8_0000_0000, Ue3),
    flag("NotForConsole", 0x10_0000_0000, Ue3),
    flag("RepRetry", 0x20_0000_0000, Ue3),
    flag("PrivateWrite", 0x40_0000_0000, Ue3),
    flag("ProtectedWrite", 0x80_0000_0000, Ue3),
    flag("EditHide", 0x200_0000_0000, Ue3),
    flag("CrossLevelPassive", 0x1000_0000_0000, Ue3),
    flag("CrossLevelActive", 0x2000_0000_0000, Ue3),
    flag("Edit", 0x1, Ue4),
    flag("ConstParm", 0x2, Ue4),
    flag("BlueprintVisible", 0x4, Ue4),
    flag("ExportObject", 0x8, Ue4),
    flag("BlueprintReadOnly", 0x10, Ue4),
    flag("Net", 0x20, Ue4),
    flag("EditFixedSize", 0x40, Ue4),
    flag("Parm", 0x80, Ue4),
    flag("OutParm", 0x100, Ue4),
    flag("ZeroConstructor", 0x200, Ue4),
    flag("ReturnParm", 0x400, Ue4),
    flag("DisableEditOnTemplate", 0x800, Ue4),
    flag("Transient", 0x2000, Ue4),
    flag("Config", 0x4000, Ue4),
    flag("DisableEditOnInstance", 0x1_0000, Ue4),
    flag("EditConst", 0x2_0000, Ue4),
    flag("GlobalConfig", 0x4_0000, Ue4),
    flag("InstancedReference", 0x8_0000, Ue4),
    flag("DuplicateTransient", 0x20_0000, Ue4),
    flag("SaveGame", 0x100_0000, Ue4),
    flag("NoClear", 0x200_0000, Ue4),
    flag("ReferenceParm", 0x800_0000, Ue4),
    flag("BlueprintAssignable", 0x1000_0000, Ue4),
    flag("Deprecated", 0x2000_0000, Ue4),
    flag("IsPlainOldData", 0x4000_0000, Ue4),
    flag("RepSkip", 0x8000_0000, Ue4),
    flag("RepNotify", 0x1_0000_0000, Ue4),
    flag("Interp", 0x2_0000_0000, Ue4),
    flag("NonTransactional", 0x4_0000_0000, Ue4),
    flag("EditorOnly", 0x8_0000_0000, Ue4),
    flag("NoDestructor", 0x10_0000_0000, Ue4),
    flag("AutoWeak", 0x40_0000_0000, Ue4),
    flag("ContainsInstancedReference", 0x80_0000_0000, Ue4),
    flag("AssetRegistrySearchable", 0x100_0000_0000, Ue4),
    flag("SimpleDisplay", 0x200_0000_0000, Ue4),
    flag("AdvancedDisplay", 0x400_0000_0000, Ue4),
    flag("Protected", 0x800_0000_0000, Ue4),
    flag("BlueprintCallable", 0x1000_0000_0000, Ue4),
    flag("BlueprintAuthorityOnly", 0x2000_0000_0000, Ue4),
    flag("TextExportTransient", 0x4000_0000_0000, Ue4),
    flag("NonPIEDuplicateTransient", 0x8000_0000_0000, Ue4),
    flag("ExposeOnSpawn", 0x1_0000_0000_0000, Ue4),
    flag("PersistentInstance", 0x2_0000_0000_0000, Ue4),
    flag("UObjectWrapper", 0x4_0000_0000_0000, Ue4),
    flag("HasGetValueTypeHash", 0x8_0000_0000_0000, Ue4),
    flag("NativeAccessSpecifierPublic", 0x10_0000_0000_0000, Ue4),
    flag("NativeAccessSpecifierProtected", 0x20_0000_0000_0000, Ue4),
    flag("NativeAccessSpecifierPrivate", 0x40_0000_0000_0000, Ue4),
    flag("SkipSerialization", 0x80_0000_0000_0000, Ue4),
];

const STRUCT: &[Flag] = &[
    flag("Native", 0x1, All),
    flag("Export", 0x2, All),
    flag("HasComponents", 0x4, Ue3),
    flag("Transient", 0x8, Ue3),
    flag("Atomic", 0x10, Ue3),
    flag("Immutable", 0x20, Ue3),
    flag("StrictConfig", 0x40, Ue3),
    flag("ImmutableWhenCooked", 0x80, Ue3),
    flag("AtomicWhenCooked", 0x100, Ue3),
    flag("Native", 0x1, Ue4),
    flag("IdenticalNative", 0x2, Ue4),
    flag("HasInstancedReference", 0x4, Ue4),
    flag("NoExport", 0x8, Ue4),
    flag("Atomic", 0x10, Ue4),
    flag("Immutable", 0x20, Ue4),
    flag("AddStructReferencedObjects", 0x40, Ue4),
    flag("RequiredAPI", 0x200, Ue4),
    flag("NetSerializeNative", 0x400, Ue4),
    flag("SerializeNative", 0x800, Ue4),
    flag("CopyNative", 0x1000, Ue4),
    flag("IsPlainOldData", 0x2000, Ue4),
    flag("NoDestructor", 0x4000, Ue4),
    flag("ZeroConstructor", 0x8000, Ue4),
    flag("ExportTextItemNative", 0x1_0000, Ue4),
    flag("ImportTextItemNative", 0x2_0000, Ue4),
    flag("PostSerializeNative", 0x4_0000, Ue4),
    flag("SerializeFromMismatchedTag", 0x8_0000, Ue4),
    flag("NetDeltaSerializeNative", 0x10_0000, Ue4),
    flag("PostScriptConstruct", 0x20_0000, Ue4),
    flag("NetSharedSerialization", 0x40_0000, Ue4),
];

const STATE: &[Flag] =
    &[flag("Editable", 0x1, All), flag("Auto", 0x2, All), flag("Simulated", 0x4, All)];

const BULK: &[Flag] = &[
    flag("SeparateFile", 0x1, Ue3),
    flag("CompressedZLIB", 0x2, Ue3),
    flag("ForceSingleElement", 0x4, Ue3),
    flag("SingleUse", 0x8, Ue3),
    flag("CompressedLZO", 0x10, Ue3),
    flag("Unused", 0x20, Ue3),
    flag("StoreOnlyPayload", 0x40, Ue3),
    flag("CompressedLZX", 0x80, Ue3),
    flag("PayloadAtEndOfFile", 0x1, Ue4),
    flag("CompressedZLIB", 0x2, Ue4),
    flag("ForceSingleElement", 0x4, Ue4),
    flag("SingleUse", 0x8, Ue4),
    flag("Unused", 0x20, Ue4),
    flag("ForceInlinePayload", 0x40, Ue4),
    flag("ForceStreamPayload", 0x80, Ue4),
    flag("PayloadInSeparateFile", 0x100, Ue4),
    flag("CompressedBitWindow", 0x200, Ue4),
    flag("ForceNotInlinePayload", 0x400, Ue4),
    flag("OptionalPayload", 0x800, Ue4),
    flag("MemoryMappedPayload", 0x1000, Ue4),
    flag("Size64Bit", 0x2000, Ue4),
    flag("DuplicateNonOptionalPayload", 0x4000, Ue4),
    flag("BadDataVersion", 0x8000, Ue4),
    flag("NoOffsetFixUp", 0x1_0000, Ue4),
    flag("WorkspaceDomainPayload", 0x2_0000, Ue4),
    flag("LazyLoadable", 0x4_0000, Ue4),
];
