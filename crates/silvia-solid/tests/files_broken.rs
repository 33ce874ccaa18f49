//! Broken files: each gives exactly the error that `broken/expected.txt` says, or reads as it says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use silvia_solid::files::{
    FileError, FileProblem, Part, Place, ReadOptions, WriteOptions, read, read_from, write,
};
use silvia_solid::{Remedy, Soup, Vec3};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// One line: the message with the file's name alone, or how many triangles were read.
fn outcome(path: &Path, result: Result<Part, FileError>) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    match result {
        Ok(part) => format!("{name}: reads, {} triangles", part.soup.triangles().len()),
        Err(error) => error.to_string().replace(path.to_str().unwrap(), name),
    }
}

#[test]
fn each_broken_file_gives_the_error_it_must() {
    let mut actual = BTreeMap::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "expected.txt" && !name.starts_with('.') {
            actual.insert(name, outcome(&path, read(&path)));
        }
    }
    let actual: String = actual.values().map(|line| format!("{line}\n")).collect();
    let expected = fs::read_to_string(folder().join("expected.txt")).unwrap();
    for (a, b) in actual.lines().zip(expected.lines()) {
        assert_eq!(a, b, "\nthe whole table as it is now:\n{actual}");
    }
    assert_eq!(actual, expected);
}

#[test]
fn each_error_is_what_is_wrong_and_then_what_to_do() {
    for entry in fs::read_dir(folder()).unwrap() {
        let Err(error) = read(entry.unwrap().path()) else { continue };
        assert!(!error.remedy().is_empty(), "{error}");
        assert_eq!(error.to_string(), format!("{}: {}", error.what(), error.remedy()));
    }
}

#[test]
fn a_stream_of_unknown_size_gives_the_same_errors() {
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let file = fs::File::open(&path).unwrap();
        let streamed = read_from(file, path.to_str().unwrap(), &ReadOptions::default());
        assert_eq!(outcome(&path, streamed), outcome(&path, read(&path)));
    }
}

#[test]
fn a_missing_file_a_directory_and_an_unknown_extension_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::create_dir(file("folder.stl")).unwrap();
    fs::write(file("part.step"), "ISO-10303-21;").unwrap();
    fs::write(file("part"), "solid").unwrap();
    let table = [
        ("nowhere.stl", "nowhere.stl: there is no such file or folder: check the name"),
        ("folder.stl", "folder.stl: this is a directory: name a file in it"),
        ("part.step", "part.step: the format \"step\" is not known here: use .stl, .obj or .ply"),
        ("part", "part: the format \"\" is not known here: use .stl, .obj or .ply"),
    ];
    for (name, expected) in table {
        assert_eq!(outcome(&file(name), read(file(name))), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.stl");
    fs::write(&path, "solid\nendsolid\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        eprintln!("skipped: this user may read anything");
        return;
    }
    let expected = "secret.stl: no permission to read it: change its permissions or choose another place";
    assert_eq!(outcome(&path, read(&path)), expected);
}

#[test]
fn a_system_that_fails_in_the_middle_is_reported_with_the_byte() {
    struct Failing(u64);
    impl Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0 {
                0 => Err(io::Error::other("the disk is on fire")),
                _ => {
                    let n = into.len().min(self.0 as usize);
                    into[..n].fill(b'\n');
                    self.0 -= n as u64;
                    Ok(n)
                }
            }
        }
    }
    for name in ["part.stl", "part.obj"] {
        let error = read_from(Failing(100_000), name, &ReadOptions::default()).unwrap_err();
        // The STL is known to be none from its first bytes.
        match error.problem {
            FileProblem::WrongFormat { .. } => assert_eq!(name, "part.stl"),
            FileProblem::Io { action: "read", .. } => assert_eq!(error.place, Place::Byte(100_000)),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_target_that_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let soup = Soup::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let problem = |name: &str| {
        let error = write(&folder.path().join(name), &soup, &WriteOptions::default()).unwrap_err();
        error.problem.to_string()
    };
    fs::create_dir(folder.path().join("folder.stl")).unwrap();
    assert_eq!(problem("folder.stl"), "this is a directory: name a file in it");
    assert_eq!(problem("nowhere/part.stl"), "there is no such file or folder: check the name");
    assert_eq!(problem("part.step"), "the format \"step\" is not known here: use .stl, .obj or .ply");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_device_is_not_replaced_and_a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let soup = Soup::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let (link, file) = (folder.path().join("link.stl"), folder.path().join("file.stl"));
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    let error = write(&link, &soup, &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.problem, FileProblem::NotAFile), "{error}");

    fs::remove_file(&link).unwrap();
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    write(&link, &soup, &WriteOptions::default()).unwrap();
    assert!(link.is_symlink());
    assert_eq!(read(&file).unwrap().soup.triangles().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_written_anew_keeps_its_permissions_and_a_read_only_one_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.stl");
    let soup = Soup::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    fs::write(&path, "old").unwrap();

    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let error = write(&path, &soup, &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.problem, FileProblem::Denied { action: "write" }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"old");

    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    write(&path, &soup, &WriteOptions::default()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}
