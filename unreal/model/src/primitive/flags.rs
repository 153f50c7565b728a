//! Flags: sets that keep unknown bits and know their names by engine generation.

use std::fmt;

use super::flag::{Flag, In, Meaning, flag, names, parse};
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::{ErrorKind, Result};
use crate::version::threshold::{self, ue4};
use crate::version::{Engine, Game, UnrealVersions, Versions};

macro_rules! flag_set {
    ($(#[$doc:meta])* $type:ident($bits:ty), $table:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $type(pub $bits);

        impl $type {
            /// The names of the known bits that are set, then the unknown rest as a number.
            pub fn names(self, engine: Engine) -> Vec<String> {
                names(self.0.into(), $table, engine)
            }

            /// The value of a flag by its name, in any case, in this engine; also takes numbers such
            /// as `0x20`.
            ///
            /// # Errors
            /// `NotFound` with the names that there are; `OutOfRange` when a number is too wide.
            pub fn parse(name: &str, engine: Engine) -> Result<Self> {
                let bits = parse(name, $table, engine)?;
                <$bits>::try_from(bits).map(Self).map_err(|_| {
                    ErrorKind::OutOfRange { value: bits.into(), bits: <$bits>::BITS }.into()
                })
            }

            /// Whether all of these bits are set.
            #[inline]
            pub const fn contains(self, bits: Self) -> bool {
                self.0 & bits.0 == bits.0
            }

            /// These bits and those.
            #[must_use]
            pub const fn with(self, bits: Self) -> Self {
                Self(self.0 | bits.0)
            }

            /// These bits without those.
            #[must_use]
            pub const fn without(self, bits: Self) -> Self {
                Self(self.0 & !bits.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($type), "({:#x})"), self.0)
            }
        }
    };
}

flag_set! {
    /// Flags of a package: its kind, and what may be done with it (spec: ue1-3/08 §8.3). C++: `EPackageFlags`.
    PackageFlags(u32), PACKAGE
}
flag_set! {
    /// Flags of an object, 32 bits below file version 195 and 64 from there on, where the old ones moved
    /// to the high half (spec: ue1-3/08 §8.4). C++: `EObjectFlags`.
    ObjectFlags(u64), OBJECT
}
flag_set! {
    /// The flags of a name: object flags as the saver had them in memory (spec: ue1-3/03 §3.1).
    NameFlags(u64), OBJECT
}
flag_set! {
    /// Flags of an export beside its object flags (spec: ue1-3/08 §8.5). C++: `EExportFlags`.
    ExportFlags(u32), EXPORT
}

impl PackageFlags {
    /// Clients may download the package.
    pub const ALLOW_DOWNLOAD: Self = Self(0x1);
    /// UE3: cooked for a platform.
    pub const COOKED: Self = Self(0x8);
    const CONTAINS_MAP: Self = Self(0x2_0000);
    /// UE3: stored in compressed chunks.
    pub const STORE_COMPRESSED: Self = Self(0x0200_0000);
    /// From UE4.26: cooked for a platform. Older cooked packages have `FILTER_EDITOR_ONLY` alone.
    pub const UE4_COOKED: Self = Self(0x200);
    /// UE4 and UE5: properties are stored without tags; layouts depend on it.
    pub const UNVERSIONED_PROPERTIES: Self = Self(0x2000);
    /// UE4 and UE5: editor-only data is left out; layouts depend on it.
    pub const FILTER_EDITOR_ONLY: Self = Self(0x8000_0000);
}

impl PackageFlags {
    const UE3_DISALLOW_LAZY_LOADING: Self = Self(0x8_0000);

    /// Whether the package says that it is a map: from UE3 on (spec: ue1-3/08 §8.3).
    #[doc(hidden)]
    #[inline]
    pub fn is_map(self, versions: &Versions) -> bool {
        !In::Classic.has(versions.engine()) && self.contains(Self::CONTAINS_MAP)
    }

    /// UE3: whether bulk data is read together with its object and never later.
    #[doc(hidden)]
    #[inline]
    pub fn disallows_lazy_loading(self, versions: &Versions) -> bool {
        In::Ue3.has(versions.engine()) && self.contains(Self::UE3_DISALLOW_LAZY_LOADING)
    }
}

impl ObjectFlags {
    const TRANSACTIONAL: Self = Self(0x1);
    const PUBLIC: Self = Self(0x4);
    const STANDALONE: Self = Self(0x8_0000);
    const STACK: Self = Self(0x0200_0000);
    /// Its code is native: one of the flags of UE1 and UE2, as [`ObjectFlags::legacy`] has them (spec: ue1-3/08 §8.4).
    #[doc(hidden)]
    pub const NATIVE: Self = Self(0x0400_0000);

    /// Whether the object holds the defaults of its class (spec: ue1-3/08 §8.4); none does before UE3.
    #[inline]
    pub fn is_class_default(self, versions: &Versions) -> bool {
        let flags =
            [(In::Ue3, Self::UE3_CLASS_DEFAULT_OBJECT), (In::Ue4, Self::UE4_CLASS_DEFAULT_OBJECT)];
        let engine = versions.engine();
        flags.iter().any(|(engines, flag)| engines.has(engine) && self.contains(*flag))
    }

    /// Whether a state frame stands before the object's properties.
    #[inline]
    pub fn has_stack(self, versions: &Versions) -> bool {
        self.legacy(versions) & Self::STACK.0 == Self::STACK.0
    }

    /// The 32 flags of UE1 and UE2, wherever this version stores them.
    pub fn legacy(self, versions: &Versions) -> u64 {
        if In::Ue4.has(versions.engine()) {
            // Other bits mean the same there.
            let pairs = [
                (Self::UE4_PUBLIC, Self::PUBLIC),
                (Self::UE4_STANDALONE, Self::STANDALONE),
                (Self::UE4_TRANSACTIONAL, Self::TRANSACTIONAL),
            ];
            let set = pairs.iter().filter(|(own, _)| self.contains(*own));
            return set.fold(0, |flags, (_, legacy)| flags | legacy.0);
        }
        if Self::is_wide(versions) { self.0 >> 32 } else { self.0 }
    }

    /// Whether flags have 64 bits: UE3 from file version 195.
    #[inline]
    #[doc(hidden)]
    pub fn is_wide(versions: &Versions) -> bool {
        versions.file() >= threshold::FLAGS_64_BIT && versions.ue4() < ue4::OLDEST_LOADABLE_PACKAGE
    }

    /// UE3: holds the defaults of its class.
    pub const UE3_CLASS_DEFAULT_OBJECT: Self = Self(0x200);
    /// UE4 and UE5: visible to other packages.
    pub const UE4_PUBLIC: Self = Self(0x1);
    /// UE4 and UE5: kept without being referred to.
    pub const UE4_STANDALONE: Self = Self(0x2);
    /// UE4 and UE5: takes part in undo.
    pub const UE4_TRANSACTIONAL: Self = Self(0x8);
    /// UE4 and UE5: holds the defaults of its class.
    pub const UE4_CLASS_DEFAULT_OBJECT: Self = Self(0x10);
    /// Others take their defaults from it, in UE4 and UE5. C++: `RF_ArchetypeObject`.
    pub const UE4_ARCHETYPE_OBJECT: Self = Self(0x20);
}

impl NameFlags {
    #[inline]
    fn is_wide(versions: &Versions) -> bool {
        ObjectFlags::is_wide(versions) && versions.game() != Game::MassEffect2
    }

    /// The flags that the engine's saver gives to an ordinary name of this version (spec: ue1-3/03 §3.1).
    pub fn ordinary(versions: &Versions) -> Self {
        if !versions.has_name_flags() {
            Self(0)
        } else if !Self::is_wide(versions) {
            Self(0x0007_0010)
        } else {
            Self(0x0007_0010_0000_0000)
        }
    }
}

const PACKAGE: &[Flag] = &[
    flag("AllowDownload", 0x1, In::All),
    flag("ClientOptional", 0x2, In::All),
    flag("ServerSideOnly", 0x4, In::All),
    flag("BrokenLinks", 0x8, In::Classic),
    flag("Cooked", 0x8, In::Ue3),
    flag("Unsecure", 0x10, In::All),
    flag("Official", 0x20, In::Ue2),
    flag("SavedWithNewerVersion", 0x20, In::Ue3),
    flag("Need", 0x8000, In::All),
    flag("ContainsMap", 0x2_0000, In::Ue3),
    flag("Trash", 0x4_0000, In::Ue3),
    flag("DisallowLazyLoading", 0x8_0000, In::Ue3),
    flag("ContainsScript", 0x20_0000, In::Ue3),
    flag("ContainsDebugInfo", 0x40_0000, In::Ue3),
    flag("RequireImportsAlreadyLoaded", 0x80_0000, In::Ue3),
    flag("SelfContainedLighting", 0x100_0000, In::Ue3),
    flag("StoreCompressed", 0x200_0000, In::Ue3),
    flag("StoreFullyCompressed", 0x400_0000, In::Ue3),
    flag("ContainsInlinedShaders", 0x800_0000, In::Ue3),
    flag("ContainsFaceFXData", 0x1000_0000, In::Ue3),
    flag("NoExportAllowed", 0x2000_0000, In::Ue3),
    flag("StrippedSource", 0x4000_0000, In::Ue3),
    flag("Protected", 0x8000_0000, In::Ue3),
    flag("NewlyCreated", 0x1, In::Ue4),
    flag("ClientOptional", 0x2, In::Ue4),
    flag("ServerSideOnly", 0x4, In::Ue4),
    flag("CompiledIn", 0x10, In::Ue4),
    flag("ForDiffing", 0x20, In::Ue4),
    flag("EditorOnly", 0x40, In::Ue4),
    flag("Developer", 0x80, In::Ue4),
    flag("UncookedOnly", 0x100, In::Ue4),
    flag("Cooked", 0x200, In::Ue4),
    flag("ContainsNoAsset", 0x400, In::Ue4),
    flag("NotExternallyReferenceable", 0x800, In::Ue4),
    flag("UnversionedProperties", 0x2000, In::Ue4),
    flag("ContainsMapData", 0x4000, In::Ue4),
    flag("IsSaving", 0x8000, In::Ue4),
    flag("Compiling", 0x1_0000, In::Ue4),
    flag("ContainsMap", 0x2_0000, In::Ue4),
    flag("RequiresLocalizationGather", 0x4_0000, In::Ue4),
    flag("PlayInEditor", 0x10_0000, In::Ue4),
    flag("ContainsScript", 0x20_0000, In::Ue4),
    flag("DisallowExport", 0x40_0000, In::Ue4),
    flag("CookGenerated", 0x800_0000, In::Ue4),
    flag("DynamicImports", 0x1000_0000, In::Ue4),
    flag("RuntimeGenerated", 0x2000_0000, In::Ue4),
    flag("ReloadingForCooker", 0x4000_0000, In::Ue4),
    flag("FilterEditorOnly", 0x8000_0000, In::Ue4),
];

/// The low half in UE1 and UE2; shifted to the high half in UE3.
const OBJECT: &[Flag] = &[
    flag("Transactional", 0x1, In::Classic),
    flag("Public", 0x4, In::Classic),
    flag("TagExp", 0x10, In::Classic),
    flag("SourceModified", 0x20, In::Classic),
    flag("Final", 0x80, In::Ue2),
    flag("PerObjectLocalized", 0x100, In::Ue2),
    flag("HighlightedName", 0x400, In::Classic),
    flag("Protected", 0x800, In::Ue2),
    flag("Transient", 0x4000, In::Classic),
    flag("LoadForClient", 0x1_0000, In::Classic),
    flag("LoadForServer", 0x2_0000, In::Classic),
    flag("LoadForEdit", 0x4_0000, In::Classic),
    flag("Standalone", 0x8_0000, In::Classic),
    flag("NotForClient", 0x10_0000, In::Classic),
    flag("NotForServer", 0x20_0000, In::Classic),
    flag("NotForEdit", 0x40_0000, In::Classic),
    flag("HasStack", 0x200_0000, In::Classic),
    flag("Native", 0x400_0000, In::Classic),
    flag("PerObjectLocalized", 0x100, In::Ue3),
    flag("ClassDefaultObject", 0x200, In::Ue3),
    flag("ArchetypeObject", 0x400, In::Ue3),
    flag("Transactional", 0x1_0000_0000, In::Ue3),
    flag("Public", 0x4_0000_0000, In::Ue3),
    flag("TagExp", 0x10_0000_0000, In::Ue3),
    flag("LoadForClient", 0x1_0000_0000_0000, In::Ue3),
    flag("LoadForServer", 0x2_0000_0000_0000, In::Ue3),
    flag("LoadForEdit", 0x4_0000_0000_0000, In::Ue3),
    flag("Standalone", 0x8_0000_0000_0000, In::Ue3),
    flag("NotForClient", 0x10_0000_0000_0000, In::Ue3),
    flag("NotForServer", 0x20_0000_0000_0000, In::Ue3),
    flag("NotForEdit", 0x40_0000_0000_0000, In::Ue3),
    flag("HasStack", 0x200_0000_0000_0000, In::Ue3),
    flag("Native", 0x400_0000_0000_0000, In::Ue3),
    flag("Public", 0x1, In::Ue4),
    flag("Standalone", 0x2, In::Ue4),
    flag("MarkAsNative", 0x4, In::Ue4),
    flag("Transactional", 0x8, In::Ue4),
    flag("ClassDefaultObject", 0x10, In::Ue4),
    flag("ArchetypeObject", 0x20, In::Ue4),
    flag("Transient", 0x40, In::Ue4),
    flag("DefaultSubObject", 0x4_0000, In::Ue4),
    flag("WasLoaded", 0x8_0000, In::Ue4),
    flag("TextExportTransient", 0x10_0000, In::Ue4),
    flag("InheritableComponentTemplate", 0x40_0000, In::Ue4),
    flag("DuplicateTransient", 0x80_0000, In::Ue4),
    flag("NonPIEDuplicateTransient", 0x200_0000, In::Ue4),
    flag("HasExternalPackage", 0x1000_0000, In::Ue4),
];

const EXPORT: &[Flag] = &[flag("ForcedExport", 0x1, In::All)];

/// Four bytes.
impl Archived for PackageFlags {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("Flags of a package.")
        .with_size(|_| Some(4));

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_u32(&mut self.0)?;
        ar.note(&Meaning(self.0.into(), PACKAGE, ar.versions().engine()));
        Ok(())
    }
}

/// Four bytes.
impl Archived for ExportFlags {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("Flags of an export.")
        .with_size(|_| Some(4));

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_u32(&mut self.0)?;
        ar.note(&Meaning(self.0.into(), EXPORT, ar.versions().engine()));
        Ok(())
    }
}

/// Four bytes below file version 195 and from UE4, eight between.
impl Archived for ObjectFlags {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("Flags of an object: eight bytes in file versions 195 to UE3, else four.")
        .with_size(|versions| Some(if Self::is_wide(versions) { 8 } else { 4 }));

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let wide = Self::is_wide(ar.versions());
        serialize_bits(&mut self.0, wide, ar)
    }
}

/// Four bytes below file version 195 and in Mass Effect 2, else eight (spec: ue1-3/03 §3.1).
impl Archived for NameFlags {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc(
            "Flags of a name: four bytes below file version 195 and in Mass Effect 2, else eight.",
        )
        .with_size(|versions| Some(if Self::is_wide(versions) { 8 } else { 4 }));

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let wide = Self::is_wide(ar.versions());
        serialize_bits(&mut self.0, wide, ar)
    }
}

#[inline]
fn serialize_bits<A: Archive + ?Sized>(bits: &mut u64, wide: bool, ar: &mut A) -> Result<()> {
    if wide {
        ar.serialize_u64(bits)?;
    } else {
        crate::archive::private::narrow(bits, ar, A::serialize_u32)?;
    }
    ar.note(&Meaning(*bits, OBJECT, ar.versions().engine()));
    Ok(())
}

impl PackageFlags {
    /// Gives versions what the flags of UE4 and UE5 say of layouts; those of older packages say nothing.
    pub fn apply_to(self, versions: &mut Versions) {
        if In::Ue4.has(versions.engine()) {
            versions.set_filter_editor_only(self.contains(Self::FILTER_EDITOR_ONLY));
            versions.set_unversioned_properties(self.contains(Self::UNVERSIONED_PROPERTIES));
            versions.set_cooked(versions.filter_editor_only() || self.contains(Self::UE4_COOKED));
        }
    }

    /// The flags of a package that is made anew.
    #[doc(hidden)]
    #[inline]
    pub fn of_new(versions: &Versions) -> Self {
        match versions.ue4() {
            0 => Self::ALLOW_DOWNLOAD,
            _ => Self::default(),
        }
    }
}

impl ObjectFlags {
    /// The flags that objects of content packages have beside that (spec: ue1-3/07 §7.6); none from UE4 on, where
    /// only what stands at the top is such.
    #[doc(hidden)]
    #[inline]
    pub fn standalone(versions: &Versions) -> Self {
        match versions.ue4() {
            0 => Self::of_legacy(0x0008_0000, versions),
            _ => Self(0),
        }
    }

    /// The flags of an ordinary public object: before UE4 Public and the three load flags
    /// (spec: ue1-3/07 §7.6).
    #[doc(hidden)]
    pub fn of_new(versions: &Versions, at_top: bool) -> Self {
        match versions.ue4() {
            0 => Self::of_legacy(0x0007_0004, versions),
            _ if at_top => {
                Self::UE4_PUBLIC.with(Self::UE4_STANDALONE).with(Self::UE4_TRANSACTIONAL)
            }
            _ => Self::UE4_PUBLIC,
        }
    }

    /// Flags of UE1 and UE2, where a version before UE4 stores them.
    #[doc(hidden)]
    #[inline]
    pub fn of_legacy(flags: u64, versions: &Versions) -> Self {
        if versions.file() < threshold::FLAGS_64_BIT { Self(flags) } else { Self(flags << 32) }
    }
}
