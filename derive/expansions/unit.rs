/// Nothing to store.
struct Nothing;

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Nothing {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Nothing>,
                doc: "Nothing to store.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[],
                },
            };
            &LAYOUT
        };
        const NESTS: bool = false;
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            let _ = ar;
            ::core::result::Result::Ok(())
        }
    }
};
