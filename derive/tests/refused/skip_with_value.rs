use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(skip = true)]
    field: u32,
}

fn main() {}
