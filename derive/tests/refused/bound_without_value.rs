use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(engine =)]
    field: u32,
}

fn main() {}
