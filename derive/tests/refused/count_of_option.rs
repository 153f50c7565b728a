use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    count: u8,
    #[archive(count = count)]
    field: Option<u8>,
}

fn main() {}
