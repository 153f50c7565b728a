use farchive::Archived;

#[derive(Archived)]
#[since(5)]
#[until(9)]
#[archive(skip)]
struct Wrong {
    field: u32,
}

fn main() {}
