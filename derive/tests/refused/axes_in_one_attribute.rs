use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(5, engine = 214)]
    field: u32,
}

fn main() {}
