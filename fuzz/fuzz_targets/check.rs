//! What must hold of any bytes, as a file of any format.

use silvia_solid::Soup;
use silvia_solid::files::{Format, ReadOptions, Unit, read_bytes, write_to};

/// Reads the bytes; if they are a part, it must be no larger than they can hold, and survive being written.
pub fn check(bytes: &[u8], name: &str) {
    let Ok(part) = read_bytes(bytes, name, &ReadOptions::default()) else { return };
    let soup = part.soup;
    assert!(soup.points().len() + soup.triangles().len() <= bytes.len());
    assert!(Soup::new(soup.points().to_vec(), soup.triangles().to_vec()).is_ok());

    let mut written = Vec::new();
    write_to(&mut written, &soup, Format::Obj, Unit::Metre).expect("an OBJ holds every soup");
    let again = read_bytes(&written, "again.obj", &ReadOptions::default()).expect("what we write, we read");
    assert_eq!(again.soup, soup);
}
