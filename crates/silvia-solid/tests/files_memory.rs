//! A lying header and an endless line cost no memory. Alone in its process, so that what is measured is the
//! reader's.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{self, Read};

use silvia_solid::files::{FileProblem, ReadOptions, read_from};

/// What reading may take beyond the file's own size, in bytes: buffers, with room to spare.
const ALLOWANCE: u64 = 16 << 20;

#[test]
fn a_lying_header_and_an_endless_line_cost_no_memory() {
    let Some(before) = peak_memory() else {
        eprintln!("skipped: this system does not tell the memory of a process");
        return;
    };
    let options = ReadOptions::default();
    let mut stl = vec![0; 80];
    stl.extend(u32::MAX.to_le_bytes());
    stl.extend([0; 75]);
    let header = |format: &str, lists: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex 4294967295\nproperty {lists}float x\nproperty float y\n\
             property float z\nelement face 4294967295\nproperty list uint int vertex_indices\nend_header\n"
        )
    };
    let big_list =
        header("binary_little_endian", "list uint double junk\nproperty ") + "\u{7f}\u{7f}\u{7f}\u{7f}";
    // Records without properties take no bytes, so that the end of the file never stops a loop over them.
    let nothings = "ply\nformat binary_big_endian 1.0\nelement nothing 18446744073709551615\nend_header\n";
    let lies = [
        ("lie.stl", stl),
        ("lie.ply", header("ascii", "").into_bytes()),
        ("lie.ply", header("binary_big_endian", "").into_bytes()),
        ("lie.ply", big_list.into_bytes()),
        ("lie.ply", nothings.as_bytes().to_vec()),
    ];
    for (name, bytes) in lies {
        let error = read_from(bytes.as_slice(), name, &options).unwrap_err();
        assert!(matches!(error.problem, FileProblem::EndsEarly { .. } | FileProblem::NoTriangles), "{error}");
    }

    let gigabyte = || io::repeat(b'x').take(1 << 30);
    let openings = [("line.obj", "v 0 0 0\n"), ("line.stl", "solid\nfacet\n"), ("line.ply", "ply\ncomment ")];
    for (name, opening) in openings {
        let error = read_from(opening.as_bytes().chain(gigabyte()), name, &options).unwrap_err();
        assert!(matches!(error.problem, FileProblem::LineTooLong { .. }), "{error}");
    }
    // No line of it is long, but they all continue each other.
    let continued = b"f 1 \\\n".repeat(300_000);
    let error = read_from(continued.as_slice(), "line.obj", &options).unwrap_err();
    assert!(matches!(error.problem, FileProblem::LineTooLong { .. }), "{error}");

    let grown = peak_memory().unwrap() - before;
    assert!(grown < ALLOWANCE, "peak address space grew by {grown} bytes");
}

/// The largest address space the process has had, in bytes: what was asked for, used or not.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}
