use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(skip, skip)]
    field: u32,
}

fn main() {}
