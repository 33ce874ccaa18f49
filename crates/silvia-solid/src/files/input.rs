//! Reads a file in large chunks and tracks the place in it. At most one chunk or one line is in memory.

use std::io::{self, Read};
use std::ops::Range;

use super::error::{At, Fault, FileProblem, Place};

/// How much is read at once, in bytes: large enough that system calls cost little.
const CHUNK: usize = 256 * 1024;

/// The longest line allowed, in bytes. Even a verbose face of [`super::MAX_CORNERS`] corners fits.
pub(super) const MAX_LINE: usize = 1024 * 1024;

/// The longest part name, in bytes.
const MAX_NAME: usize = 256;

/// A buffered reader that tracks its place.
pub(super) struct Input<'a> {
    reader: &'a mut dyn Read,
    /// `buffer[start..end]` has been read but not consumed.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Position of `buffer[start]` in the file.
    offset: u64,
    /// Lines returned so far.
    lines: u64,
    ended: bool,
    /// Size of the whole file in bytes, if known in advance.
    pub(super) size: Option<u64>,
}

/// A line without its line ending, and its number counted from 1.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: u64,
    pub(super) text: &'a [u8],
}

impl<'a> Input<'a> {
    pub(super) fn new(reader: &'a mut dyn Read, size: Option<u64>) -> Input<'a> {
        Input { reader, buffer: Vec::new(), start: 0, end: 0, offset: 0, lines: 0, ended: false, size }
    }

    /// At least `wanted` bytes from here, or all that are left if the file ends sooner.
    #[inline]
    pub(super) fn peek(&mut self, wanted: usize) -> Result<&[u8], Fault> {
        if self.end - self.start < wanted && !self.ended {
            self.refill(wanted)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Advances by bytes that [`Input::peek`] returned.
    #[inline]
    pub(super) fn consume(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Advances by any number of bytes; false if the file ends sooner.
    pub(super) fn skip(&mut self, mut bytes: u64) -> Result<bool, Fault> {
        while bytes > 0 {
            let here = (self.peek(1)?.len() as u64).min(bytes);
            if here == 0 {
                return Ok(false);
            }
            self.consume(here as usize);
            bytes -= here;
        }
        Ok(true)
    }

    /// The current byte, counted from 0.
    pub(super) fn place(&self) -> Place {
        Place::Byte(self.offset)
    }

    /// The last line returned.
    pub(super) fn last_line(&self) -> Place {
        Place::Line(self.lines.max(1))
    }

    /// The next line, up to `\n`, `\r\n` or the end of the file.
    #[inline]
    pub(super) fn next_line(&mut self) -> Result<Option<Line<'_>>, Fault> {
        Ok(self.advance_line()?.map(|range| self.line(range)))
    }

    /// The next line that is not blank.
    #[inline]
    pub(super) fn next_filled_line(&mut self) -> Result<Option<Line<'_>>, Fault> {
        while let Some(range) = self.advance_line()? {
            if !self.buffer[range.clone()].iter().all(|&b| is_blank(b)) {
                return Ok(Some(self.line(range)));
            }
        }
        Ok(None)
    }

    fn line(&self, range: Range<usize>) -> Line<'_> {
        let text = &self.buffer[range];
        Line { number: self.lines, text: text.strip_suffix(b"\r").unwrap_or(text) }
    }

    /// Advances past the next line; returns its range in the buffer.
    #[inline]
    fn advance_line(&mut self) -> Result<Option<Range<usize>>, Fault> {
        let mut searched = 0;
        let length = loop {
            let waiting = &self.buffer[self.start..self.end];
            if let Some(at) = find_newline(&waiting[searched..]) {
                break searched + at;
            }
            searched = waiting.len();
            if self.ended {
                break searched;
            }
            if searched > MAX_LINE {
                return Err(FileProblem::LineTooLong { limit: MAX_LINE }).at(Place::Line(self.lines + 1));
            }
            self.refill(searched + 1)?;
        };
        let from = self.start;
        let with_end = (length + 1).min(self.end - from);
        if with_end == 0 {
            return Ok(None);
        }
        self.consume(with_end);
        self.lines += 1;
        Ok(Some(from..from + length))
    }

    /// Skips the byte order mark that some editors put before UTF-8 text.
    pub(super) fn skip_byte_order_mark(&mut self) -> Result<(), Fault> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if self.peek(MARK.len())?.starts_with(MARK) {
            self.consume(MARK.len());
        }
        Ok(())
    }

    #[cold]
    fn refill(&mut self, wanted: usize) -> Result<(), Fault> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() < wanted {
            // A small file needs room for itself and one byte to see that it ends.
            let chunk =
                self.size.map_or(CHUNK, |size| size.saturating_add(1).clamp(1024, CHUNK as u64) as usize);
            self.buffer.resize(wanted.next_multiple_of(chunk), 0);
        }
        while self.end < wanted && !self.ended {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(bytes) => self.end += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let place = Place::Byte(self.offset + self.end as u64);
                    return Err(FileProblem::of_io("read", error)).at(place);
                }
            }
        }
        Ok(())
    }
}

/// The position of the first `\n`. Tests eight bytes at a time, since finding lines dominates the time to
/// read text.
#[inline]
fn find_newline(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    const NEWLINES: u64 = ONES * b'\n' as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        // A zero byte in `x` is a newline in the word; the lowest remaining high bit marks the first one.
        let x = u64::from_le_bytes(*word) ^ NEWLINES;
        let marks = x.wrapping_sub(ONES) & !x & HIGHS;
        if marks != 0 {
            return Some(8 * i + marks.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&b| b == b'\n').map(|at| 8 * words.len() + at)
}

/// The words of a line, separated by blanks.
#[derive(Clone)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a [u8]) -> Words<'a> {
        Words { rest: text }
    }

    /// The rest of the line, trimmed.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest.trim_ascii()
    }

    /// Number of bytes left.
    pub(super) fn rest_len(&self) -> usize {
        self.rest.len()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let from = self.rest.iter().position(|b| !is_blank(*b))?;
        let word = &self.rest[from..];
        let length = word.iter().position(|b| is_blank(*b)).unwrap_or(word.len());
        let (word, rest) = word.split_at(length);
        self.rest = rest;
        Some(word)
    }
}

#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c')
}

/// Three coordinates from the next three words. They may be infinite or NaN: the mesh refuses those.
#[inline]
pub(super) fn three_numbers(words: &mut Words<'_>) -> Result<[f64; 3], FileProblem> {
    let start = words.clone();
    let mut numbers = [0.0; 3];
    for n in &mut numbers {
        *n = number(words.next().ok_or_else(|| FileProblem::unexpected("three numbers", start.rest()))?)?;
    }
    Ok(numbers)
}

/// A number with a decimal point, as any program writes it.
#[inline]
pub(super) fn number(word: &[u8]) -> Result<f64, FileProblem> {
    let parsed = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| FileProblem::unexpected("a number", word))
}

/// A whole number, with or without sign.
#[inline]
pub(super) fn whole_number(word: &[u8]) -> Result<i64, FileProblem> {
    let parsed = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| FileProblem::unexpected("a whole number", word))
}

/// The bytes as a name, if they are text that prints on one line.
pub(super) fn name(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let is_name = !text.is_empty() && text.len() <= MAX_NAME && !text.chars().any(char::is_control);
    is_name.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newline_is_found_wherever_it_is() {
        for length in 0..40 {
            for at in 0..length {
                let mut bytes = vec![0x0b_u8; length];
                bytes[at..].fill(b'\n');
                assert_eq!(find_newline(&bytes), Some(at));
            }
            assert_eq!(find_newline(&vec![0x8a; length]), None);
        }
    }

    #[test]
    fn lines_come_whole_from_a_reader_that_trickles() {
        struct Trickle<'a>(&'a [u8]);
        impl Read for Trickle<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let n = self.0.len().min(into.len()).min(3);
                into[..n].copy_from_slice(&self.0[..n]);
                self.0 = &self.0[n..];
                Ok(n)
            }
        }
        let mut reader = Trickle(b"one\r\n\ntwo three\nlast");
        let mut input = Input::new(&mut reader, None);
        let mut lines = Vec::new();
        while let Some(line) = input.next_line().unwrap() {
            lines.push((line.number, line.text.to_vec()));
        }
        let expected: [(u64, &[u8]); 4] = [(1, b"one"), (2, b""), (3, b"two three"), (4, b"last")];
        assert!(lines.iter().map(|(n, t)| (*n, t.as_slice())).eq(expected));
    }
}
