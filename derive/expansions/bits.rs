/// Fields that are bits of one number.
#[archive(bits = u16)]
struct Flags {
    #[archive(bits = 1)]
    visible: bool,
    #[archive(bits = 5)]
    layer: u8,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Flags {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Flags>,
                doc: "Fields that are bits of one number.",
                shape: __farchive::archive::layout::Shape::Manual {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "visible",
                            ty: "bool",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "layer",
                            ty: "u8",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                    ],
                    size: |_| ::core::option::Option::Some(
                        ::core::mem::size_of::<u16>() as u64,
                    ),
                },
            };
            &LAYOUT
        };
        const NESTS: bool = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            <__farchive::archive::layout::Probe<bool>>::NESTS
                || <__farchive::archive::layout::Probe<u8>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            const _: () = ::core::assert!(
                0 + 1 + 5 <= 16u32,
                "the fields have more bits than the number that they are stored in",
            );
            let mut bits = __farchive::archive::PackedBits::default();
            if __farchive::ArchiveExt::leaves_out_derived(ar) {
                ar.step(__farchive::archive::Step::Field("visible"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.visible,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("visible"));
                }
                ar.step(__farchive::archive::Step::Field("layer"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.layer,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("layer"));
                }
                if let ::core::result::Result::Err(error) = bits
                    .put(&self.visible, 1, ar)
                {
                    return ::core::result::Result::Err(error.in_field("visible"));
                }
                if let ::core::result::Result::Err(error) = bits.put(&self.layer, 5, ar)
                {
                    return ::core::result::Result::Err(error.in_field("layer"));
                }
            } else {
                if !__farchive::ArchiveExt::is_loading(ar) {
                    if let ::core::result::Result::Err(error) = bits
                        .put(&self.visible, 1, ar)
                    {
                        return ::core::result::Result::Err(error.in_field("visible"));
                    }
                    if let ::core::result::Result::Err(error) = bits
                        .put(&self.layer, 5, ar)
                    {
                        return ::core::result::Result::Err(error.in_field("layer"));
                    }
                }
                let mut number = bits.number() as u16;
                if let ::core::result::Result::Err(error) = ar.serialize_u16(&mut number)
                {
                    return ::core::result::Result::Err(error);
                }
                if __farchive::ArchiveExt::is_loading(ar) {
                    bits = __farchive::archive::PackedBits::of(
                        ::core::convert::From::from(number),
                        16u32,
                    );
                    match bits.take::<bool, _>(1, ar) {
                        ::core::result::Result::Ok(value) => self.visible = value,
                        ::core::result::Result::Err(error) => {
                            return ::core::result::Result::Err(
                                error.in_field("visible"),
                            );
                        }
                    }
                    match bits.take::<u8, _>(5, ar) {
                        ::core::result::Result::Ok(value) => self.layer = value,
                        ::core::result::Result::Err(error) => {
                            return ::core::result::Result::Err(error.in_field("layer"));
                        }
                    }
                    if let ::core::result::Result::Err(error) = bits.rest(ar) {
                        return ::core::result::Result::Err(error);
                    }
                }
            }
            ::core::result::Result::Ok(())
        }
    }
};
