use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(with)]
    field: u32,
}

fn main() {}
