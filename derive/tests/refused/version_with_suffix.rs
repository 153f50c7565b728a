use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(68u64)]
    field: u32,
}

fn main() {}
