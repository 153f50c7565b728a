use farchive::Archived;

#[derive(Archived)]
struct Table {
    #[archive(with = rows(self.width))]
    rows: Vec<u8>,
    width: u32,
}

#[derive(Archived)]
#[repr(u8)]
enum Rows {
    Some {
        #[archive(with = rows(*width))]
        rows: Vec<u8>,
        width: u32,
    },
}

fn main() {}
