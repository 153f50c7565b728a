/// Bounds on the `ue5` version.
struct Header {
    #[since(ue5 = 5)]
    #[until(ue5 = 9)]
    flags: u32,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Header {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::Ue5,
            value: 5 as i64,
        },
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::Ue5,
            value: 9 as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "Bounds on the `ue5` version.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "flags",
                        ty: "u32",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::Ue5,
                                value: 5 as i64,
                                name: ::core::option::Option::None,
                            },
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Until,
                                axis: ::farchive::version::Axis::Ue5,
                                value: 9 as i64,
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
        if ::farchive::Archive::versions(ar).ue5 >= 5
            && ::farchive::Archive::versions(ar).ue5 < 9
        {
            ar.step(::farchive::archive::Step::Field("flags"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.flags,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("flags"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.flags,
            ar,
            "flags",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
