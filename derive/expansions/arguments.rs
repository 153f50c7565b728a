/// Arguments, counts and a tag from fields above; what saving works out.
struct Message {
    #[archive(computed = self.body.tag())]
    kind: u8,
    width: u16,
    height: u16,
    #[archive(with = rows(self.width, &self.height))]
    rows: Vec<u8>,
    #[archive(count = width * height)]
    pixels: Vec<u8>,
    #[archive(count = ..)]
    rest: String,
    #[archive(tag = kind)]
    body: Body,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Message {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Message>,
                doc: "Arguments, counts and a tag from fields above; what saving works out.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "kind",
                            ty: "u8",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "width",
                            ty: "u16",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "height",
                            ty: "u16",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "rows",
                            ty: "Vec<u8>",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::Some(
                                "rows(self.width, &self.height)",
                            ),
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "pixels",
                            ty: "Vec<u8>",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::Some("count = width * height"),
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "rest",
                            ty: "String",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::Some("count = .."),
                            role: ::core::option::Option::None,
                            links: &[
                                __farchive::archive::layout::Link {
                                    layout: __farchive::archive::layout::Probe::<String>::LINK,
                                    value: __farchive::archive::layout::Probe::<String>::VALUE,
                                },
                            ],
                        },
                        __farchive::archive::layout::Field {
                            name: "body",
                            ty: "Body",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::Some("tag = kind"),
                            role: ::core::option::Option::None,
                            links: &[
                                __farchive::archive::layout::Link {
                                    layout: __farchive::archive::layout::Probe::<Body>::LINK,
                                    value: __farchive::archive::layout::Probe::<Body>::VALUE,
                                },
                            ],
                        },
                    ],
                },
            };
            &LAYOUT
        };
        const NESTS: bool = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            <__farchive::archive::layout::Probe<u8>>::NESTS
                || <__farchive::archive::layout::Probe<u16>>::NESTS
                || <__farchive::archive::layout::Probe<Vec<u8>>>::NESTS
                || <__farchive::archive::layout::Probe<String>>::NESTS
                || <__farchive::archive::layout::Probe<Body>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            let mut computed: u8 = if __farchive::ArchiveExt::is_loading(ar) {
                ::core::default::Default::default()
            } else {
                match __farchive::archive::private::computed(self.body.tag(), ar) {
                    ::core::result::Result::Ok(computed) => computed,
                    ::core::result::Result::Err(error) => {
                        return ::core::result::Result::Err(error.in_field("kind"));
                    }
                }
            };
            ar.step(__farchive::archive::Step::Field("kind"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                &mut computed,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("kind"));
            }
            if __farchive::ArchiveExt::is_loading(ar) {
                self.kind = computed;
            }
            ar.step(__farchive::archive::Step::Field("width"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                &mut self.width,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("width"));
            }
            ar.step(__farchive::archive::Step::Field("height"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                &mut self.height,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("height"));
            }
            ar.step(__farchive::archive::Step::Field("rows"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::archive::private::within(
                {
                    #[allow(unused_imports)]
                    use __farchive::archive::layout::Unlinked as _;
                    const { <__farchive::archive::layout::Probe<u8>>::NESTS }
                },
                ar,
                |ar| rows(&mut self.rows, self.width, &self.height, ar),
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("rows"));
            }
            ar.step(__farchive::archive::Step::Field("pixels"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::primitive::array::counted_elsewhere(
                &mut self.pixels,
                __farchive::archive::private::wide(self.width)
                    * __farchive::archive::private::wide(self.height),
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("pixels"));
            }
            ar.step(__farchive::archive::Step::Field("rest"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::primitive::array::to_the_end(
                &mut self.rest,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("rest"));
            }
            ar.step(__farchive::archive::Step::Field("body"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::archive::private::tagged(
                &mut self.body,
                self.kind,
                true,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("body"));
            }
            ::core::result::Result::Ok(())
        }
    }
};
