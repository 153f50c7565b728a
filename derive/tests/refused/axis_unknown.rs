use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(engine = 5)]
    field: u32,
}

fn main() {}
