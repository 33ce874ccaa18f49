//! Broken files: each gives the error it must, exit code 1, and no panic.

use crate::folder::Folder;
use silvia::solid::Vec3;
use silvia::solid::primitives::cuboid;

/// Inspects a broken file and compares what is said about it, after `error: `.
fn check(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    let folder = Folder::new();
    folder.put(name, content);
    let (code, said) = folder.fails(&["inspect", name]);
    assert_eq!(said.trim_end(), format!("error: {expected}"));
    assert_eq!(code, 1);
}

/// A binary STL of one triangle that claims `count`, with the first coordinate as given.
fn binary(count: u32, first: f32) -> Vec<u8> {
    let mut bytes = vec![0u8; 80];
    bytes.extend(count.to_le_bytes());
    for number in [0.0, 0.0, 1.0, first, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0f32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([0, 0]);
    bytes
}

const HEAD: &str = "solid part\n facet normal 0 0 1\n  outer loop\n";
const TAIL: &str = "  endloop\n endfacet\nendsolid part\n";

#[test]
fn truncated_binary_stl() {
    check(
        "part.stl",
        &binary(2, 0.0)[..],
        "part.stl, byte 134: the header claims 2 triangles, the file ends after 1: it was \
         cut short, or the header lies; export it again",
    );
}

#[test]
fn a_header_that_claims_four_billion_triangles() {
    check(
        "part.stl",
        binary(u32::MAX, 0.0),
        "part.stl, byte 134: the header claims 4294967295 triangles, the file ends after 1: \
         it was cut short, or the header lies; export it again",
    );
}

#[test]
fn nan_in_binary_stl() {
    check(
        "part.stl",
        binary(1, f32::NAN),
        "part.stl, byte 96: coordinate x of triangle 0 is NaN, but must be a finite \
         number of metres: correct it or export again",
    );
}

#[test]
fn infinity_in_binary_stl() {
    check(
        "part.stl",
        binary(1, f32::INFINITY),
        "part.stl, byte 96: coordinate x of triangle 0 is inf, but must be a finite \
         number of metres: correct it or export again",
    );
}

#[test]
fn text_stl_that_turns_binary() {
    let mut bytes = HEAD.as_bytes().to_vec();
    bytes.extend([0, 159, 146, 150, b'\n']);
    check(
        "part.stl",
        bytes,
        "part.stl, byte 49: the file ends where the rest of the header of 84 bytes should \
         follow: it was cut short; export it again",
    );
}

#[test]
fn nan_in_text_stl() {
    let text = format!("{HEAD}   vertex 0 0 0\n   vertex nan 0 0\n   vertex 0 1 0\n{TAIL}");
    check(
        "part.stl",
        text,
        "part.stl, line 5: coordinate x of triangle 0 is NaN, but must be a finite \
         number of metres: correct it or export again",
    );
}

#[test]
fn truncated_text_stl() {
    check(
        "part.stl",
        format!("{HEAD}   vertex 0 0 0\n   vertex 1 0 0\n"),
        "part.stl, line 5: the file ends where \"vertex\" should follow: it was cut short; \
         export it again",
    );
}

#[test]
fn negative_index_before_the_first_point_of_an_obj() {
    check(
        "part.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n",
        "part.obj, line 4: a face names vertex -4, but only 3 vertices come before it \
         (counted from 1): correct the face or export the file again",
    );
}

#[test]
fn index_past_the_end_of_an_obj() {
    check(
        "part.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
        "part.obj, line 4: a face names vertex 4, but only 3 vertices come before it \
         (counted from 1): correct the face or export the file again",
    );
}

#[test]
fn infinity_in_an_obj() {
    check(
        "part.obj",
        "v 0 0 0\nv 1 0 inf\nv 0 1 0\nf 1 2 3\n",
        "part.obj, line 2: coordinate z of vertex 1 is inf, but must be a finite \
         number of metres: correct it or export again",
    );
}

#[test]
fn index_past_the_end_of_a_ply() {
    let text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float \
     z\n\
                element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 \
                1 3\n";
    check(
        "part.ply",
        text,
        "part.ply, line 13: a face names vertex 3, but only 3 vertices come before it \
         (counted from 0): correct the face or export the file again",
    );
}

#[test]
fn negative_index_in_a_ply() {
    let text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float \
     z\n\
                element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 \
                1 -1\n";
    check(
        "part.ply",
        text,
        "part.ply, line 13: a face names vertex -1, but only 3 vertices come before it \
         (counted from 0): correct the face or export the file again",
    );
}

#[test]
fn a_ply_header_that_claims_four_billion_vertices() {
    let text = "ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\nproperty float x\nproperty \
     float y\n\
                property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    check(
        "part.ply",
        text,
        "part.ply, byte 178: the header claims 4294967295 vertices, the file ends after 0: \
         it was cut short, or the header lies; export it again",
    );
}

#[test]
fn empty_files() {
    for name in ["part.stl", "part.obj", "part.ply"] {
        check(name, "", &format!("{name}: the file is empty: export the part again"));
    }
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("part.stl")).unwrap();
    let (code, said) = folder.fails(&["inspect", "part.stl"]);
    assert_eq!((code, said.trim_end()), (1, "error: part.stl: this is a directory: name a file in it"));
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.put_stl("part.stl", &cuboid(Vec3::ONE).unwrap());
    std::fs::set_permissions(folder.path("part.stl"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(folder.path("part.stl")).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let (code, said) = folder.fails(&["inspect", "part.stl"]);
    let expected =
        "error: part.stl: no permission to read it: change its permissions or choose another place";
    assert_eq!((code, said.trim_end()), (1, expected));
}

#[test]
fn only_degenerate_triangles_are_read_but_are_no_solid() {
    let folder = Folder::new();
    folder.put("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 3 2 1\n");
    let found = folder.inspect("flat.obj");
    assert_eq!(found["solid"], false);
    assert_eq!(found["defects"][0]["kind"], "zero_area_triangle");
    let (code, said) = folder.fails(&["convert", "--drop-degenerate", "flat.obj", "out.obj"]);
    assert_eq!(
        (code, said.trim_end()),
        (1, "error: flat.obj: nothing is left: all 2 triangles are degenerate")
    );
}
