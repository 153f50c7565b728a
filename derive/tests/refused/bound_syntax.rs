use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(+)]
    field: u32,
}

fn main() {}
