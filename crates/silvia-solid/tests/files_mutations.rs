//! Damaged at random, a file still gives a soup or an error: no panic, and no more points and triangles than
//! its bytes can hold. What a soup promises must hold for whatever is accepted.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use silvia_solid::files::{Format, ReadOptions, Unit, read_bytes, read_from, write_to};
use silvia_solid::{Soup, Vec3};

/// One accident.
#[derive(Clone, Debug)]
enum Mutation {
    Flip {
        at: usize,
        bit: u8,
    },
    Set {
        at: usize,
        byte: u8,
    },
    Cut {
        at: usize,
    },
    Insert {
        at: usize,
        bytes: Vec<u8>,
    },
    Remove {
        at: usize,
        count: usize,
    },
    /// Copies a piece of the file, or of another, to another place in it.
    Splice {
        from: usize,
        count: usize,
        to: usize,
        other: usize,
    },
}

fn any_mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<usize>;
    // Words that mean something somewhere, to get past the first checks.
    let words = prop::sample::select(vec![
        "-1",
        "0",
        "4294967295",
        "18446744073709551615",
        "nan",
        "-inf",
        "1e999",
        "\n",
        "\\\n",
        "\r",
        " ",
        "/",
        "#",
        "f 1 2 3 -1\n",
        "v 1e308 1 1\n",
        "element x 9999999999\n",
        "property list uint double q\n",
        "property list char char q\n",
        "end_header\n",
        "solid\n",
        "endsolid\n",
        "facet\n",
        "\0\0\0\0",
    ]);
    prop_oneof![
        (at(), 0..8u8).prop_map(|(at, bit)| Mutation::Flip { at, bit }),
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set { at, byte }),
        at().prop_map(|at| Mutation::Cut { at }),
        (at(), prop::collection::vec(any::<u8>(), 1..9))
            .prop_map(|(at, bytes)| Mutation::Insert { at, bytes }),
        (at(), words).prop_map(|(at, word)| Mutation::Insert { at, bytes: word.as_bytes().to_vec() }),
        (at(), 1..20usize).prop_map(|(at, count)| Mutation::Remove { at, count }),
        (at(), 1..200usize, at(), 0..6usize).prop_map(|(from, count, to, other)| Mutation::Splice {
            from,
            count,
            to,
            other
        }),
    ]
}

fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation, files: &[Vec<u8>]) {
    let place = |at: usize, length: usize| at % (length + 1);
    let length = bytes.len();
    match mutation {
        &Mutation::Flip { at, bit } if length > 0 => bytes[at % length] ^= 1 << bit,
        &Mutation::Set { at, byte } if length > 0 => bytes[at % length] = byte,
        Mutation::Flip { .. } | Mutation::Set { .. } => {}
        &Mutation::Cut { at } => bytes.truncate(place(at, length)),
        Mutation::Insert { at, bytes: new } => {
            let at = place(*at, length);
            bytes.splice(at..at, new.iter().copied());
        }
        &Mutation::Remove { at, count } => {
            let at = place(at, length);
            bytes.drain(at..(at + count).min(length));
        }
        &Mutation::Splice { from, count, to, other } => {
            let source = &files[other];
            let from = place(from, source.len());
            let piece = source[from..(from + count).min(source.len())].to_vec();
            let to = place(to, length);
            bytes.splice(to..to, piece);
        }
    }
}

/// A small part in every format, the text ones with polygons and comments.
fn valid_files() -> Vec<Vec<u8>> {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.1, 1.5, -2.25), Vec3::Z, Vec3::ONE];
    let soup = Soup::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2], [4, 4, 4]]).unwrap();
    let mut files = Vec::new();
    for format in Format::ALL {
        let mut bytes = Vec::new();
        write_to(&mut bytes, &soup, format, Unit::Metre).unwrap();
        if format == Format::Obj {
            bytes.extend_from_slice(b"# more\nvn 0 0 1\nf 1/1/1 2//1 4/1 3 # quad\nf -1 \\\n -2 -3\n");
        }
        files.push(bytes);
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_never_panic_nor_hold_more_than_their_bytes(
        which in 0..Format::ALL.len(),
        mutations in prop::collection::vec(any_mutation(), 1..5),
    ) {
        let files = valid_files();
        let mut bytes = files[which].clone();
        for mutation in &mutations {
            mutate(&mut bytes, mutation, &files);
        }
        let name = format!("part.{}", Format::ALL[which].extension());
        let read = read_bytes(&bytes, &name, &ReadOptions::default());
        // The same bytes trickling in give the same answer, unless an STL is told apart by its size.
        let streamed = read_from(bytes.as_slice(), &name, &ReadOptions::default());
        prop_assert_eq!(read.is_ok(), streamed.is_ok());
        match read {
            Ok(part) => {
                // A corner takes a byte at the least, and so does a coordinate.
                let (points, triangles) = part.soup.into_parts();
                prop_assert!(points.len() + triangles.len() <= bytes.len());
                prop_assert!(Soup::new(points, triangles).is_ok());
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.starts_with(&name));
                prop_assert!(message.len() < 500, "{}", message);
            }
        }
    }
}
