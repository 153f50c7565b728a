use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(when)]
    field: u32,
}

fn main() {}
