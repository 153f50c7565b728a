/// Errors come with an empty implementation, so that uses of the type add none.
struct Wrong {
    #[archive(maybe)]
    field: u32,
}

// Expands to:

::core::compile_error! {
    "unknown key `maybe`; allowed are `when`, `with`, `count`, `tag`, `computed`, `default`, `was`, `bits`, `role`, `rename`, `flatten` and `skip`, before a variant `other` and `rename`"
}
const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Wrong {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[];
        const NESTS: bool = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            <__farchive::archive::layout::Probe<u32>>::NESTS
        };
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
