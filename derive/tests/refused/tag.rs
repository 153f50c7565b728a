use farchive::Archived;

#[derive(Archived)]
struct Message {
    #[archive(tag = kind)]
    body: Body,
    kind: u8,
}

#[derive(Archived)]
struct Unknown {
    #[archive(tag = kind)]
    body: Body,
    #[archive(tag = kind, count = kind)]
    other: Body,
    #[archive(tag)]
    last: Body,
}

#[derive(Archived, Default)]
#[repr(u8)]
#[archive(tagged)]
enum Body {
    #[default]
    Empty,
}

#[derive(Archived)]
#[archive(tagged)]
struct Wrong {}

fn main() {}
