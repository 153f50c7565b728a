use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(with = farchive::with::varint, since = 3)]
    field: u32,
}

fn main() {}
