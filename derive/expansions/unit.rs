/// Nothing to store.
struct Nothing;

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Nothing {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "Nothing to store.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[],
            },
        }
    };
    const NESTS: bool = false;
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        let _ = ar;
        ::core::result::Result::Ok(())
    }
}
