use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since(5)]
    #[until(5)]
    field: u32,
}

fn main() {}
