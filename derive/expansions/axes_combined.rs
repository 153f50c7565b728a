/// Every bound must hold.
struct Header {
    #[since(100)]
    #[since(licensee = 3)]
    #[archive(when = self.count > 0 || ar.is_loading())]
    extra: u32,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Header {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: 100 as i64,
        },
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::Licensee,
            value: 3 as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "Every bound must hold.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "extra",
                        ty: "u32",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::File,
                                value: 100 as i64,
                                name: ::core::option::Option::None,
                            },
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::Licensee,
                                value: 3 as i64,
                                name: ::core::option::Option::None,
                            },
                        ],
                        when: ::core::option::Option::Some(
                            "self.count > 0 || ar.is_loading()",
                        ),
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
        if ::farchive::Archive::versions(ar).file >= 100
            && ::farchive::Archive::versions(ar).licensee >= 3
            && (self.count > 0 || ar.is_loading())
        {
            ar.step(::farchive::archive::Step::Field("extra"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.extra,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("extra"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.extra,
            ar,
            "extra",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
