use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[since("68")]
    field: u32,
}

fn main() {}
