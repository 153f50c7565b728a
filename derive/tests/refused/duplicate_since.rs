use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(5)]
    #[since(6)]
    field: u32,
}

fn main() {}
