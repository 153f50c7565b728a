/// A field that is never stored.
struct Cached {
    value: u32,
    #[archive(skip)]
    hash: u64,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Cached {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "A field that is never stored.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "value",
                        ty: "u32",
                        doc: "",
                        bounds: &[],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::None,
                        links: &[],
                    },
                ],
            },
        }
    };
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
        ar.step(::farchive::archive::Step::Field("value"));
        let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
            &mut self.value,
            ar,
        );
        ar.step(::farchive::archive::Step::Leave);
        if let ::core::result::Result::Err(error) = result {
            return ::core::result::Result::Err(error.in_field("value"));
        }
        if ::farchive::ArchiveExt::is_loading(ar) {
            self.hash = ::core::default::Default::default();
        }
        ::core::result::Result::Ok(())
    }
}
