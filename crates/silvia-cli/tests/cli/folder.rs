//! Running the real `silvia` in a folder of its own.

use serde_json::Value;
use silvia::solid::files::{Format, Unit, WriteOptions, write};
use silvia::solid::{Pose, Quat, Soup, Vec3};
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder that the command runs in; gone when dropped.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// Writes a soup as CAD exporters do: binary STL in single precision.
    pub(crate) fn put_stl(&self, name: &str, soup: &Soup) {
        write(&self.path(name), soup, &WriteOptions { format: Some(Format::StlBinary), unit: Unit::Metre })
            .unwrap();
    }

    /// Runs `silvia` with these arguments.
    pub(crate) fn silvia(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_silvia"))
            .current_dir(self.0.path())
            .args(arguments)
            .output()
            .unwrap()
    }

    /// The standard output of a run that must succeed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.silvia(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The standard output of a run that must succeed, and its standard error.
    pub(crate) fn ok_with_notes(&self, arguments: &[&str]) -> (String, String) {
        let output = self.silvia(arguments);
        let noted = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {noted}");
        (String::from_utf8(output.stdout).unwrap(), noted)
    }

    /// The exit code and standard error of a run that must fail.
    pub(crate) fn fails(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.silvia(arguments);
        assert!(!output.status.success(), "{arguments:?} should have failed");
        let code = output.status.code().expect("ended by itself");
        (code, String::from_utf8(output.stderr).unwrap())
    }

    /// What `silvia inspect --json` says about one file.
    pub(crate) fn inspect(&self, file: &str) -> Value {
        serde_json::from_str(&self.ok(&["inspect", "--json", file])).unwrap()
    }
}

/// A rotation that makes no coordinate a round number.
pub(crate) fn turned(soup: &Soup) -> Soup {
    let axis = Vec3::new(0.3, -0.5, 0.8).normalize();
    soup.posed(&Pose::new(Vec3::new(0.1, 0.2, -0.3), Quat::from_axis_angle(axis, 0.7)).unwrap())
}
