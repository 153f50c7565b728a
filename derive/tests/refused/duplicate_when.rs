use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[archive(when = true, when = false)]
    field: u32,
}

fn main() {}
