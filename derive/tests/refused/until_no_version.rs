use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until(licensee = 0)]
    field: u32,
}

fn main() {}
