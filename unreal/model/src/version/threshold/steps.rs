//! Object versions.

/// Declares object versions and the list of them.
macro_rules! steps {
    ($($value:literal $name:ident)*) => {
        $(
            #[doc = concat!("Object version ", $value, ".")]
            pub const $name: u32 = $value;
        )*

        /// Every object version above, ascending.
        pub const ALL: &[u32] = &[$($value),*];
    };
}
