use farchive::Archived;

#[derive(Archived)]
struct Table {
    count: u32,
    #[archive(count)]
    first: Vec<u8>,
    #[archive(count = 3 + 4)]
    second: Vec<u8>,
    #[archive(count = count, with = farchive::primitive::array::counted_u32)]
    third: Vec<u8>,
}

fn main() {}
