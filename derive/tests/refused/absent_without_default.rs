use farchive::Archived;

#[derive(Archived, PartialEq)]
struct Inner {
    field: u32,
}

#[derive(Archived)]
struct Wrong {
    #[since(5)]
    inner: Inner,
}

fn main() {}
