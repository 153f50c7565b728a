use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until = 5]
    field: u32,
}

fn main() {}
