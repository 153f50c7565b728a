use farchive::Archived;

#[derive(Archived)]
union Wrong {
    number: u32,
    bytes: [u8; 4],
}

fn main() {}
