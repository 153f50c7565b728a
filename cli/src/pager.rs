//! Long output by pages, as git shows it: on a terminal, through the program that the user reads with.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// The program where the user names none.
const USUAL: &str = "less";
/// What `less` does unless the user says otherwise: end where all fits on a page, let colours through, leave what was
/// shown, and end with what it reads from.
const LESS: &str = "FRXK";

/// A program that shows what it is given page by page.
#[derive(Debug)]
pub struct Pager {
    child: Child,
    input: Option<ChildStdin>,
}

impl Pager {
    /// The words of the program: UPK_PAGER, else PAGER, else `less`; none where the user wants none.
    fn words() -> Option<Vec<String>> {
        let named = ["UPK_PAGER", "PAGER"].into_iter().find_map(std::env::var_os);
        let named = named.unwrap_or_else(|| OsString::from(USUAL));
        // Taken apart without a shell: nothing in it is carried out but the program.
        let words = shlex::split(named.to_str()?)?;
        (!matches!(words.first().map(String::as_str), None | Some("cat"))).then_some(words)
    }

    /// Starts it; `None` where there is none, and output goes where it went.
    pub fn start() -> Option<Self> {
        let words = Self::words()?;
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", LESS);
        }
        let mut child = command.spawn().ok()?;
        let input = child.stdin.take();
        Some(Self { child, input })
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.input {
            Some(input) => input.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), ChildStdin::flush)
    }
}

impl Drop for Pager {
    /// The user reads on: the program ends when that ends.
    fn drop(&mut self) {
        drop(self.input.take());
        // What it says of itself is the user's own affair.
        let _ = self.child.wait();
    }
}
