/// Errors come with an empty implementation, so that uses of the type add none.
struct Wrong {
    #[archive(maybe)]
    field: u32,
}

// Expands to:

::core::compile_error! {
    "unknown key `maybe`; allowed are `when = CONDITION`, `with = PATH`, `count = FIELD` and `skip`"
}
#[automatically_derived]
impl ::farchive::Archived for Wrong {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[];
    const NESTS: bool = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        <::farchive::archive::layout::Probe<u32>>::NESTS
    };
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        let _ = ar;
        ::core::result::Result::Ok(())
    }
}
