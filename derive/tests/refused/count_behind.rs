use farchive::Archived;

#[derive(Archived)]
struct Table {
    #[archive(count = count)]
    rows: Vec<u8>,
    count: u32,
}

fn main() {}
