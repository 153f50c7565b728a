use farchive::Archived;

const GUID: farchive::Guid = farchive::Guid::new(1, 2, 3, 4);

#[derive(Archived)]
struct Wrong {
    #[since(custom = GUID, 5)]
    #[until(custom = GUID, 4)]
    field: u32,
}

fn main() {}
