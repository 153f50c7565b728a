//! Entries of custom versions.

/// Declares a module of entries for each custom version.
macro_rules! entries {
    ($($module:ident = $text:literal { $($value:literal $name:ident)* })*) => { $(
        #[doc = concat!("Entries of `", $text, "`.")]
        pub mod $module {
            $(
                #[doc = concat!("Entry ", $value, ".")]
                pub const $name: i32 = $value;
            )*
        }
    )* };
}
