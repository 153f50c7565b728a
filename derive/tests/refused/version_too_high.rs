use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(4294967296)]
    field: u32,
}

fn main() {}
