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
