use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(skip)]
    #[archive(with = path)]
    field: u32,
}

fn main() {}
