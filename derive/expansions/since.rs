/// A field of later versions.
struct Generation {
    export_count: u32,
    #[since(322)]
    net_object_count: u32,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Generation {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: 322 as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "A field of later versions.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "export_count",
                        ty: "u32",
                        doc: "",
                        bounds: &[],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::None,
                        links: &[],
                    },
                    ::farchive::archive::layout::Field {
                        name: "net_object_count",
                        ty: "u32",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::File,
                                value: 322 as i64,
                                name: ::core::option::Option::None,
                            },
                        ],
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
        ar.step(::farchive::archive::Step::Field("export_count"));
        let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
            &mut self.export_count,
            ar,
        );
        ar.step(::farchive::archive::Step::Leave);
        if let ::core::result::Result::Err(error) = result {
            return ::core::result::Result::Err(error.in_field("export_count"));
        }
        if ::farchive::Archive::versions(ar).file >= 322 {
            ar.step(::farchive::archive::Step::Field("net_object_count"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.net_object_count,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("net_object_count"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.net_object_count,
            ar,
            "net_object_count",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
