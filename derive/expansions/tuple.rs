/// Fields without names are known by their number.
struct Pair(u32, #[since(2)] i32);

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Pair {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: 2 as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "Fields without names are known by their number.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "0",
                        ty: "u32",
                        doc: "",
                        bounds: &[],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::None,
                        links: &[],
                    },
                    ::farchive::archive::layout::Field {
                        name: "1",
                        ty: "i32",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::File,
                                value: 2 as i64,
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
            || <::farchive::archive::layout::Probe<i32>>::NESTS
    };
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        ar.step(::farchive::archive::Step::Field("0"));
        let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
            &mut self.0,
            ar,
        );
        ar.step(::farchive::archive::Step::Leave);
        if let ::core::result::Result::Err(error) = result {
            return ::core::result::Result::Err(error.in_field("0"));
        }
        if ::farchive::Archive::versions(ar).file >= 2 {
            ar.step(::farchive::archive::Step::Field("1"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.1,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("1"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.1,
            ar,
            "1",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
