//! A peer that comes as a Python package.

use crate::Options;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A Python process that greets with a line of JSON, and answers each question, a line of JSON on its
/// standard input, with another.
pub struct PythonPeer<Hello> {
    process: Child,
    questions: ChildStdin,
    replies: BufReader<ChildStdout>,
    /// What it said first.
    pub hello: Hello,
}

impl<Hello: DeserializeOwned> PythonPeer<Hello> {
    /// Starts a script, named from the folder of the repository, with arguments.
    pub fn start<A: AsRef<OsStr>>(
        options: &Options,
        script: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut process = Command::new(&options.python)
            .arg(options.root.join(script))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let python = options.python.display();
                format!(
                    "cannot start {python}: {error}; `cargo xtask bench AREA` makes the environment it \
                 belongs to"
                )
            })?;
        let questions = process.stdin.take().ok_or("no standard input")?;
        let mut replies = BufReader::new(process.stdout.take().ok_or("no standard output")?);
        let hello = reply(&mut replies)?;
        Ok(PythonPeer { process, questions, replies, hello })
    }

    /// Asks one question: an object that the script understands.
    pub fn ask<Reply: DeserializeOwned>(&mut self, question: &impl Display) -> Result<Reply, Box<dyn Error>> {
        writeln!(self.questions, "{question}")?;
        reply(&mut self.replies)
    }
}

impl<Hello> Drop for PythonPeer<Hello> {
    fn drop(&mut self) {
        // It has answered all it was asked; whether it is gone already does not matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn reply<Reply: DeserializeOwned>(from: &mut impl BufRead) -> Result<Reply, Box<dyn Error>> {
    let mut line = String::new();
    match from.read_line(&mut line)? {
        0 => Err("the peer ended: see its message above".into()),
        _ => Ok(serde_json::from_str(&line)?),
    }
}
