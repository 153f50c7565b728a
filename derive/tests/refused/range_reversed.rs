use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until(engine = 300)]
    #[since(engine = 400)]
    field: u32,
}

fn main() {}
