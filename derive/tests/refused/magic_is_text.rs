use farchive::Archived;

#[derive(Archived)]
#[archive(magic = "LEVL")]
struct Wrong {
    field: u32,
}

fn main() {}
