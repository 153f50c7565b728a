use farchive::{Archive, Archived, Result};

#[derive(Archived)]
struct Wrong {
    #[archive(with = swapped)]
    field: u32,
}

fn swapped<A: Archive + ?Sized>(value: &mut u64, ar: &mut A) -> Result<()> {
    ar.serialize_u64(value)
}

fn main() {}
