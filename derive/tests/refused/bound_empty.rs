use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until()]
    field: u32,
}

fn main() {}
