use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(5)]
    #[archive(skip)]
    field: u32,
}

fn main() {}
