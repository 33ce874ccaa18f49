//! Values as bytes and back: numbers with the least byte first, lists with their count before them. What is
//! read is checked: any bytes give a value or an error.

use crate::error::SnapshotError;
use silvia_contact::Twist;
use silvia_solid::{Pose, Quat, Vec3};
use std::collections::BTreeMap;

/// What can be written as bytes and read again, to the same bits.
pub(crate) trait Coded: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(from: &mut Bytes<'_>) -> Result<Self, SnapshotError>;
}

/// Bytes that are being read.
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(all: &'a [u8]) -> Bytes<'a> {
        Bytes { all, at: 0 }
    }

    /// How many are left.
    pub(crate) fn left(&self) -> usize {
        self.all.len() - self.at
    }

    pub(crate) fn next(&mut self, count: usize) -> Result<&'a [u8], SnapshotError> {
        let found = self.all.get(self.at..).and_then(|rest| rest.get(..count));
        let found = found.ok_or_else(|| self.damaged("the end"))?;
        self.at += count;
        Ok(found)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let mut array = [0; N];
        array.copy_from_slice(self.next(N)?);
        Ok(array)
    }

    /// The error of something that cannot be, just read.
    pub(crate) fn damaged(&self, what: &'static str) -> SnapshotError {
        SnapshotError::Damaged { at: self.at, what }
    }

    /// The value if it is as it must be.
    pub(crate) fn check<T>(&self, value: T, is_good: bool, what: &'static str) -> Result<T, SnapshotError> {
        if is_good { Ok(value) } else { Err(self.damaged(what)) }
    }
}

macro_rules! coded_numbers {
    ($($number:ty),*) => {$(
        impl Coded for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn take(from: &mut Bytes<'_>) -> Result<$number, SnapshotError> {
                Ok(<$number>::from_le_bytes(from.array()?))
            }
        }
    )*};
}

coded_numbers!(u8, u32, u64, f64);

impl Coded for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<bool, SnapshotError> {
        match u8::take(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(from.damaged("a yes or no")),
        }
    }
}

impl Coded for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut Bytes<'_>) -> Result<String, SnapshotError> {
        let length = u32::take(from)? as usize;
        let text = std::str::from_utf8(from.next(length)?).map(str::to_owned);
        text.map_err(|_| from.damaged("a name"))
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Bytes<'_>) -> Result<Option<T>, SnapshotError> {
        if bool::take(from)? { T::take(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        self.iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut Bytes<'_>) -> Result<Vec<T>, SnapshotError> {
        let count = count(from)?;
        (0..count).map(|_| T::take(from)).collect()
    }
}

impl<K: Coded + Ord, V: Coded> Coded for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn take(from: &mut Bytes<'_>) -> Result<BTreeMap<K, V>, SnapshotError> {
        let count = count(from)?;
        let mut map = BTreeMap::new();
        for _ in 0..count {
            let (key, value) = <(K, V)>::take(from)?;
            let is_new = map.insert(key, value).is_none();
            from.check((), is_new, "a list without doubles")?;
        }
        Ok(map)
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<(A, B), SnapshotError> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

impl<T: Coded> Coded for [T; 2] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut Bytes<'_>) -> Result<[T; 2], SnapshotError> {
        Ok([T::take(from)?, T::take(from)?])
    }
}

/// Always finite.
impl Coded for Vec3 {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut Bytes<'_>) -> Result<Vec3, SnapshotError> {
        let vector = Vec3::new(f64::take(from)?, f64::take(from)?, f64::take(from)?);
        from.check(vector, vector.is_finite(), "a vector of finite numbers")
    }
}

/// Always of unit length, to rounding; x, y, z, w.
impl Coded for Quat {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().iter().for_each(|value| value.put(out));
    }

    fn take(from: &mut Bytes<'_>) -> Result<Quat, SnapshotError> {
        let [x, y] = <[f64; 2]>::take(from)?;
        let [z, w] = <[f64; 2]>::take(from)?;
        let rotation = Quat::from_xyzw(x, y, z, w);
        let is_unit = (rotation.length() - 1.0).abs() <= Pose::UNIT_TOLERANCE;
        from.check(rotation, is_unit, "a quaternion of unit length")
    }
}

impl Coded for Twist {
    fn put(&self, out: &mut Vec<u8>) {
        let Twist { linear, angular } = self;
        linear.put(out);
        angular.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Twist, SnapshotError> {
        Ok(Twist { linear: Vec3::take(from)?, angular: Vec3::take(from)? })
    }
}

impl Coded for Pose {
    fn put(&self, out: &mut Vec<u8>) {
        self.translation().put(out);
        self.rotation().put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Pose, SnapshotError> {
        let (translation, rotation) = (Vec3::take(from)?, Quat::take(from)?);
        Pose::to_the_bit(translation, rotation).map_err(|_| from.damaged("a pose"))
    }
}

/// A count of things of at least a byte each.
fn count(from: &mut Bytes<'_>) -> Result<usize, SnapshotError> {
    let count = u32::take(from)? as usize;
    from.check(count, count <= from.left(), "as many entries as it says")
}
