use farchive::Archived;

#[derive(Archived)]
struct Table {
    rows: usize,
}

fn main() {}
