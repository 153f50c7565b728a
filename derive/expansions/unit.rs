/// Nothing to store.
struct Nothing;

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Nothing {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[];
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        let _ = ar;
        ::core::result::Result::Ok(())
    }
}
