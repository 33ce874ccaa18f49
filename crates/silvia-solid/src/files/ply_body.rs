//! The numbers after a PLY header, as text or binary.

use super::error::{At, Fault, FileProblem, Place};
use super::input::{Input, Words, number, whole_number};
use super::ply_header::Scalar;

/// Why reading a record stopped.
pub(super) enum Stop {
    /// The file ends, at this place.
    Ended(Place),
    /// Something is wrong.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

/// A sequence of records of numbers.
pub(super) trait Body {
    /// Begins the next record; returns its place.
    fn begin(&mut self) -> Result<Place, Stop>;
    /// Ends the record; refuses leftover content.
    fn finish(&mut self) -> Result<(), Stop>;
    /// The place of the next number.
    fn place(&self) -> Place;
    /// The next number.
    fn number(&mut self, scalar: Scalar) -> Result<f64, Stop>;
    /// The next number, of an integer type.
    fn whole(&mut self, scalar: Scalar) -> Result<i64, Stop>;
    /// Skips numbers.
    fn skip(&mut self, numbers: u64, scalar: Scalar) -> Result<(), Stop>;
    /// The place of whatever follows the last record, if anything does.
    fn more(&mut self) -> Result<Option<Place>, Fault>;

    /// The next number, as the length of a list.
    #[inline]
    fn length(&mut self, scalar: Scalar) -> Result<u64, Stop> {
        let place = self.place();
        let length = self.whole(scalar)?;
        let problem = |_| FileProblem::unexpected("the length of a list", length.to_string().as_bytes());
        Ok(u64::try_from(length).map_err(problem).at(place)?)
    }
}

/// One record per line, numbers separated by blanks.
pub(super) struct TextBody<'a> {
    input: Input<'a>,
    line: Vec<u8>,
    /// How much of the line has been consumed.
    used: usize,
}

impl<'a> TextBody<'a> {
    pub(super) fn new(input: Input<'a>) -> TextBody<'a> {
        TextBody { input, line: Vec::new(), used: 0 }
    }

    #[inline]
    fn word<T>(&mut self, parse: impl Fn(&[u8]) -> Result<T, FileProblem>) -> Result<T, Stop> {
        let mut words = Words::of(&self.line[self.used..]);
        let value = parse(words.next().unwrap_or_default());
        self.used = self.line.len() - words.rest_len();
        Ok(value.at(self.input.last_line())?)
    }
}

impl Body for TextBody<'_> {
    #[inline]
    fn begin(&mut self) -> Result<Place, Stop> {
        let end = self.input.last_line();
        let line = self.input.next_filled_line()?.ok_or(Stop::Ended(end))?;
        self.line.clear();
        self.line.extend_from_slice(line.text);
        self.used = 0;
        Ok(Place::Line(line.number))
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Stop> {
        let rest = Words::of(&self.line[self.used..]).rest();
        if rest.is_empty() {
            return Ok(());
        }
        Ok(Err(FileProblem::unexpected("the end of the line", rest)).at(self.input.last_line())?)
    }

    #[inline]
    fn place(&self) -> Place {
        self.input.last_line()
    }

    #[inline]
    fn number(&mut self, _: Scalar) -> Result<f64, Stop> {
        self.word(number)
    }

    #[inline]
    fn whole(&mut self, _: Scalar) -> Result<i64, Stop> {
        self.word(whole_number)
    }

    fn skip(&mut self, numbers: u64, scalar: Scalar) -> Result<(), Stop> {
        for _ in 0..numbers {
            self.number(scalar)?;
        }
        Ok(())
    }

    fn more(&mut self) -> Result<Option<Place>, Fault> {
        Ok(self.input.next_filled_line()?.map(|line| Place::Line(line.number)))
    }
}

/// Numbers without separators, big-endian if `BIG`.
pub(super) struct BinaryBody<'a, const BIG: bool> {
    input: Input<'a>,
}

impl<'a, const BIG: bool> BinaryBody<'a, BIG> {
    pub(super) fn new(input: Input<'a>) -> Self {
        BinaryBody { input }
    }

    #[inline]
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let waiting = self.input.peek(N)?;
        let Some(&bytes) = waiting.first_chunk::<N>() else { return Err(self.ended()) };
        self.input.consume(N);
        let mut bytes = bytes;
        if BIG {
            bytes.reverse();
        }
        Ok(bytes)
    }

    #[cold]
    fn ended(&mut self) -> Stop {
        // Fewer bytes are left than a number has.
        let left = self.input.peek(0).map_or(0, <[u8]>::len);
        self.input.consume(left);
        Stop::Ended(self.input.place())
    }
}

impl<const BIG: bool> Body for BinaryBody<'_, BIG> {
    #[inline]
    fn begin(&mut self) -> Result<Place, Stop> {
        Ok(self.input.place())
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    #[inline]
    fn place(&self) -> Place {
        self.input.place()
    }

    #[inline]
    fn number(&mut self, scalar: Scalar) -> Result<f64, Stop> {
        match scalar {
            Scalar::F32 => Ok(f64::from(f32::from_le_bytes(self.bytes()?))),
            Scalar::F64 => Ok(f64::from_le_bytes(self.bytes()?)),
            // Exact: integers have 32 bits at most.
            whole => Ok(self.whole(whole)? as f64),
        }
    }

    #[inline]
    fn whole(&mut self, scalar: Scalar) -> Result<i64, Stop> {
        Ok(match scalar {
            Scalar::I8 => i64::from(i8::from_le_bytes(self.bytes()?)),
            Scalar::U8 => i64::from(u8::from_le_bytes(self.bytes()?)),
            Scalar::I16 => i64::from(i16::from_le_bytes(self.bytes()?)),
            Scalar::U16 => i64::from(u16::from_le_bytes(self.bytes()?)),
            Scalar::I32 => i64::from(i32::from_le_bytes(self.bytes()?)),
            Scalar::U32 => i64::from(u32::from_le_bytes(self.bytes()?)),
            Scalar::F32 | Scalar::F64 => {
                let problem = FileProblem::unexpected("a type of whole numbers", b"a floating point type");
                return Err(Stop::Fault(Fault { place: self.place(), problem }));
            }
        })
    }

    fn skip(&mut self, numbers: u64, scalar: Scalar) -> Result<(), Stop> {
        // No overflow: a list has at most 2^32 numbers.
        if self.input.skip(numbers * scalar.size() as u64)? {
            return Ok(());
        }
        Err(self.ended())
    }

    fn more(&mut self) -> Result<Option<Place>, Fault> {
        let is_more = !self.input.peek(1)?.is_empty();
        Ok(is_more.then(|| self.input.place()))
    }
}
