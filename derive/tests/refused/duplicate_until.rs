use farchive::Archived;

#[derive(Archived)]
struct Wrong {
    #[until(ue5 = 1001)]
    #[until(ue5 = 1002)]
    field: u32,
}

fn main() {}
