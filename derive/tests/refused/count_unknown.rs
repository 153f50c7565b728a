use farchive::Archived;

#[derive(Archived)]
struct Table {
    width: u32,
    row_count: u32,
    #[archive(count = nn)]
    rows: Vec<u8>,
}

#[derive(Archived)]
struct First {
    #[archive(count = nn)]
    rows: Vec<u8>,
}

#[derive(Archived)]
struct Later {
    width: u32,
    #[archive(count = width * height)]
    rows: Vec<u8>,
    height: u32,
}

fn main() {}
