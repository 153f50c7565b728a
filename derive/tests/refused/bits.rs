use farchive::Archived;

#[derive(Archived)]
#[archive(bits = u8)]
struct TooMany {
    #[archive(bits = 4)]
    first: u8,
    #[archive(bits = 5)]
    second: u8,
}

#[derive(Archived)]
#[archive(bits = u8)]
struct Without {
    first: u8,
    #[since(2)]
    #[archive(bits = 1)]
    second: u8,
}

#[derive(Archived)]
struct Alone {
    #[archive(bits = 1)]
    first: u8,
}

#[derive(Archived)]
#[archive(bits = i8)]
struct Signed {}

fn main() {}
