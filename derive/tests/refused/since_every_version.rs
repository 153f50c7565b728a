use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(0)]
    field: u32,
}

fn main() {}
