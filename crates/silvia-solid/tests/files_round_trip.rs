//! What is written reads back the same, in every format; and hand-written files of other programs read as
//! meant.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use proptest::prelude::*;
use silvia_solid::files::{
    FileProblem, Format, Part, ReadOptions, Unit, WriteOptions, read, read_bytes, read_from, write, write_to,
};
use silvia_solid::{Soup, Vec3};

fn encoded(soup: &Soup, format: Format, unit: Unit) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, soup, format, unit).unwrap();
    bytes
}

fn decoded(bytes: &[u8], format: Format, unit: Unit) -> Part {
    let name = format!("part.{}", format.extension());
    read_bytes(bytes, &name, &ReadOptions { unit, ..Default::default() }).unwrap()
}

fn read_text(text: &str, name: &str) -> Part {
    read_bytes(text.as_bytes(), name, &ReadOptions::default()).unwrap()
}

fn bits(points: &[Vec3]) -> Vec<[u64; 3]> {
    points.iter().map(|p| p.to_array().map(f64::to_bits)).collect()
}

/// The points of a soup as an STL has them: three for each triangle.
fn loose(soup: &Soup) -> Vec<Vec3> {
    (0..soup.triangles().len()).flat_map(|t| soup.corners(t)).collect()
}

fn any_soup(coordinate: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Soup> {
    let point = [coordinate.clone(), coordinate.clone(), coordinate].prop_map(Vec3::from_array);
    prop::collection::vec(point, 1..40).prop_flat_map(|points| {
        let index = 0..points.len() as u32;
        let triangle = [index.clone(), index.clone(), index];
        prop::collection::vec(triangle, 1..40)
            .prop_map(move |triangles| Soup::new(points.clone(), triangles).unwrap())
    })
}

/// Every finite number: subnormal, huge and negative zero included.
fn any_finite() -> impl Strategy<Value = f64> + Clone {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

proptest! {
    #[test]
    fn formats_of_double_precision_keep_every_bit(soup in any_soup(any_finite())) {
        for format in [Format::Obj, Format::PlyBinary, Format::PlyBinaryBig, Format::PlyText] {
            let part = decoded(&encoded(&soup, format, Unit::Metre), format, Unit::Metre);
            prop_assert_eq!(part.format, format);
            prop_assert_eq!(bits(part.soup.points()), bits(soup.points()));
            prop_assert_eq!(part.soup.triangles(), soup.triangles());
        }
        let part = decoded(&encoded(&soup, Format::StlText, Unit::Metre), Format::StlText, Unit::Metre);
        prop_assert_eq!(part.format, Format::StlText);
        prop_assert_eq!(bits(part.soup.points()), bits(&loose(&soup)));
    }

    #[test]
    fn a_binary_stl_keeps_single_precision(soup in any_soup(-1e30..1e30)) {
        let part = decoded(&encoded(&soup, Format::StlBinary, Unit::Metre), Format::StlBinary, Unit::Metre);
        prop_assert_eq!(part.format, Format::StlBinary);
        let rounded: Vec<Vec3> = loose(&soup).iter().map(|p| p.as_vec3().as_dvec3()).collect();
        prop_assert_eq!(bits(part.soup.points()), bits(&rounded));
    }

    #[test]
    fn other_units_change_the_last_bit_at_most(soup in any_soup(-1e3..1e3)) {
        for unit in Unit::ALL {
            let part = decoded(&encoded(&soup, Format::PlyBinary, unit), Format::PlyBinary, unit);
            for (a, b) in part.soup.points().iter().zip(soup.points()) {
                // Four roundings of at most half a unit in the last place each.
                prop_assert!((*a - *b).abs().cmple(b.abs() * (2.0 * f64::EPSILON)).all());
            }
        }
    }

    #[test]
    fn a_stream_reads_like_a_file(soup in any_soup(-1e3..1e3)) {
        for format in Format::ALL {
            let bytes = encoded(&soup, format, Unit::Metre);
            let name = format!("part.{}", format.extension());
            let part = read_from(bytes.as_slice(), &name, &ReadOptions::default()).unwrap();
            prop_assert_eq!(part, decoded(&bytes, format, Unit::Metre));
        }
    }
}

fn tetrahedron() -> Soup {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    Soup::new(points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).unwrap()
}

#[test]
fn a_large_part_crosses_the_buffers_unharmed() {
    // Several buffers long in every format, and no coordinate like another.
    let points: Vec<Vec3> = (0..30_000)
        .map(|i| Vec3::new(f64::from(i).sqrt(), -f64::from(i), 1.0 / (1.0 + f64::from(i))))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..29_998).map(|i| [i, i + 1, i + 2]).collect();
    let soup = Soup::new(points, triangles).unwrap();
    for format in Format::ALL {
        let part = decoded(&encoded(&soup, format, Unit::Metre), format, Unit::Metre);
        let expected = match format {
            Format::StlBinary => loose(&soup).iter().map(|p| p.as_vec3().as_dvec3()).collect(),
            Format::StlText => loose(&soup),
            _ => soup.points().to_vec(),
        };
        assert!(bits(part.soup.points()) == bits(&expected), "{format}");
    }
}

#[test]
fn normals_of_an_stl_are_unit_vectors_outward_and_zero_for_flat_triangles() {
    let flat = Soup::new(vec![Vec3::ZERO, Vec3::X], vec![[0, 1, 1]]).unwrap();
    let soup = Soup::joined([&tetrahedron(), &flat]).unwrap();
    let bytes = encoded(&soup, Format::StlBinary, Unit::Millimetre);
    let normals: Vec<[f32; 3]> = bytes[84..]
        .chunks(50)
        .map(|record| [0, 4, 8].map(|at| f32::from_le_bytes(record[at..at + 4].try_into().unwrap())))
        .collect();
    let third = (1.0_f64 / 3.0).sqrt() as f32;
    let expected = [[0., 0., -1.], [0., -1., 0.], [third; 3], [-1., 0., 0.], [0.; 3]];
    assert_eq!(normals, expected);
}

#[test]
fn a_binary_stl_whose_title_begins_with_solid_is_still_binary() {
    let mut bytes = encoded(&tetrahedron(), Format::StlBinary, Unit::Metre);
    let title = b"solid of revolution                                                             ";
    bytes[..80].copy_from_slice(title);
    let part = decoded(&bytes, Format::StlBinary, Unit::Metre);
    assert_eq!((part.format, part.soup.triangles().len()), (Format::StlBinary, 4));
    assert_eq!(part.name.as_deref(), Some("solid of revolution"));
    // A stream does not know its size: then the content decides.
    let part = read_from(bytes.as_slice(), "part.stl", &ReadOptions::default()).unwrap();
    assert_eq!(part.format, Format::StlBinary);
}

#[test]
fn a_text_stl_may_have_any_case_indent_line_end_and_several_solids() {
    let facet = "  FACET NORMAL 0 0 1\r\n OUTER LOOP\r\n VERTEX 0 0 0\r\n\r\n VERTEX +1.0e0 0 0\r\n \
                 VERTEX\t0 .5 0\r\n ENDLOOP\r\n ENDFACET\r\n";
    let text = format!("\u{feff}Solid big part\r\n{facet}{facet}EndSolid\r\nsolid\r\n{facet}endsolid x");
    let part = read_text(&text, "PART.STL");
    assert_eq!(part.name.as_deref(), Some("big part"));
    assert_eq!(part.soup.triangles(), [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert_eq!(part.soup.corners(2), [Vec3::ZERO, Vec3::X, 0.5 * Vec3::Y]);
}

#[test]
fn an_obj_may_have_every_form_of_face() {
    let text = "\
# comment
mtllib x.mtl
o bracket v2 # left
v 0 0 0 1.0
v 1 0 0
v 1 1 0 0.5 0.5 0.5
v 0 1 \\
  0
vt 0 0
vn 0 0 1
usemtl steel
s off
f 1 2 3
f 1/1 2/1 3/1 # with texture
f 1//1 2//1 3//1
f 1/1/1 2/1/1 3/1/1
f -4 -3/-1 -2/-1/-1
f 1 2 \\
  3 4
v 0 0 1
f -1 1 2
";
    let part = read_text(text, "part.obj");
    assert_eq!(part.name.as_deref(), Some("bracket v2 # left"));
    assert_eq!(part.soup.points(), [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::Z]);
    let t = [0, 1, 2];
    assert_eq!(part.soup.triangles(), [t, t, t, t, t, t, [0, 2, 3], [4, 0, 1]]);
}

#[test]
fn an_obj_line_continued_by_nothing_is_nothing() {
    let part = read_text("v 0 0 0\n\\\n\nf 1 1 1\n \\\n  \\\n\n", "part.obj");
    assert_eq!(part.soup.triangles(), [[0; 3]]);
}

#[test]
fn a_ply_may_have_other_types_properties_and_elements() {
    let text = "\
ply
format ascii 1.0
comment made by hand
obj_info nothing
element material 1
property list int float weights
property uchar kind
element vertex 4
property uchar red
property short z
property float y
property list uchar int tags
property double x
element face 2
property int flags
property list uchar int vertex_index
property list uchar float texcoord
element edge 1
property int vertex1
property int vertex2
end_header
2 0.5 0.25 7
255 0 0 0 0
255 0 0 1 9 1
255 0 1 2 9 9 1
255 0 1.0 0 0
0 3 0 1 2 0
0 4 0 1 2 3 2 0.5 0.5
0 1
";
    let part = read_text(text, "part.ply");
    assert_eq!(part.format, Format::PlyText);
    assert_eq!(part.soup.points(), [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y]);
    assert_eq!(part.soup.triangles(), [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
}

#[test]
fn a_binary_ply_of_small_types_reads_in_both_byte_orders() {
    for (format, order) in [(Format::PlyBinary, "little"), (Format::PlyBinaryBig, "big")] {
        let mut bytes = format!(
            "ply\r\nformat binary_{order}_endian 1.0\r\nelement vertex 3\r\nproperty int16 x\r\nproperty \
             float32 y\r\n\
             property list uint8 uint16 tags\r\nproperty int8 z\r\nelement face 1\r\n\
             property list uint16 uint8 vertex_indices\r\nend_header\r\n"
        )
        .into_bytes();
        let is_little = format == Format::PlyBinary;
        let u16_bytes = |n: u16| if is_little { n.to_le_bytes() } else { n.to_be_bytes() };
        let f32_bytes = |x: f32| if is_little { x.to_le_bytes() } else { x.to_be_bytes() };
        for (x, y, z) in [(-300_i16, 0.5_f32, -1_i8), (258, 0.1, 2), (0, 3.0, 127)] {
            bytes.extend(u16_bytes(x as u16));
            bytes.extend(f32_bytes(y));
            bytes.extend([2, 1, 2, 3, 4]);
            bytes.push(z as u8);
        }
        bytes.extend(u16_bytes(3));
        bytes.extend([2, 0, 1]);
        let part = decoded(&bytes, format, Unit::Metre);
        assert_eq!(part.format, format);
        let y = f64::from(0.1_f32);
        let expected = [Vec3::new(-300., 0.5, -1.), Vec3::new(258., y, 2.), Vec3::new(0., 3., 127.)];
        assert_eq!(part.soup.points(), expected);
        assert_eq!(part.soup.triangles(), [[2, 0, 1]]);
    }
}

#[test]
fn only_degenerate_triangles_are_still_a_soup() {
    let part = read_text("v 1 2 3\nf 1 1 1\nf 1 1 1\n", "part.obj");
    assert_eq!(part.soup.triangles(), [[0; 3]; 2]);
}

#[test]
fn a_file_written_replaces_the_old_one_whole_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [("a.stl", Format::StlBinary), ("b.OBJ", Format::Obj), ("c.ply", Format::PlyBinary)]
    {
        let path = folder.path().join(name);
        fs::write(&path, "old").unwrap();
        write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
        let part = read(&path).unwrap();
        assert_eq!((part.format, part.soup.triangles().len()), (format, 4));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_part_too_large_for_single_precision_is_refused_and_the_old_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.stl");
    fs::write(&path, "old").unwrap();
    let soup = Soup::new(vec![Vec3::ZERO, Vec3::X, 1e36 * Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let millimetres = WriteOptions { unit: Unit::Millimetre, ..Default::default() };
    let error = write(&path, &soup, &millimetres).unwrap_err();
    assert!(matches!(error.problem, FileProblem::DoesNotFit { point: 2, value: 1e36, .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    write(&path, &soup, &WriteOptions::default()).unwrap();
}

#[test]
fn a_writer_that_fails_in_the_middle_says_so() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in Format::ALL {
        let error = write_to(Full(60), &tetrahedron(), format, Unit::Metre).unwrap_err();
        assert!(matches!(error, FileProblem::Io { action: "write", .. }), "{error}");
    }
}

#[test]
fn more_triangles_than_allowed_are_refused() {
    let options = ReadOptions { max_triangles: 3, ..Default::default() };
    for format in Format::ALL {
        let bytes = encoded(&tetrahedron(), format, Unit::Metre);
        let error = read_bytes(&bytes, &format!("part.{}", format.extension()), &options).unwrap_err();
        assert!(matches!(error.problem, FileProblem::TooMany { limit: 3 | 9, .. }), "{error}");
    }
}
