use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(if = true)]
    field: u32,
}

fn main() {}
