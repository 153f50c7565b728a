use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(skip, when = true)]
    field: u32,
}

fn main() {}
