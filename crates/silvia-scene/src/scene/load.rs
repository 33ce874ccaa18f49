//! Reads a scene and the files it names.

use super::SceneSource;
use super::build::Overrides;
use super::finding::{Finding, SceneError, Severity};
use super::tree::{Path, Tree};
use super::walk::{Deviations, walk};
use super::written::{WrittenScene, WrittenShape};
use crate::recording::{FILE_NAME, MAGIC};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path as FilePath};

/// The largest size of a scene's text, bytes.
pub const MOST_TEXT: u64 = 16 << 20;
/// The largest size of a part file, bytes. A recording keeps a copy of it.
pub const MOST_PART_FILE: u64 = 256 << 20;
/// The largest total size of a scene's part files, bytes.
pub const MOST_PART_FILES: u64 = 1 << 30;

/// A scene that has been read: every field is known and has the right type, or is among the faults.
#[derive(Clone, Debug)]
pub struct Scene {
    source: SceneSource,
    written: WrittenScene,
    pub(super) tree: Tree,
    /// Unknown fields, wrong types and problems with files. What is wrong is left out of `written`, so that
    /// the rest can be checked all the same.
    faults: Vec<Finding>,
    /// The fields that are missing from `written` because of a fault: they have the wrong type, or are
    /// misspelled.
    left_out: Vec<Path>,
    /// The fields that name part files which could not be read.
    unread: Vec<Path>,
    /// Whether something that others refer to by name may have been left out.
    pub(super) lacks_names: bool,
}

impl Scene {
    /// Reads a scene and the part files it names, which must be in its folder or below.
    pub fn load(path: &FilePath) -> Result<Scene, SceneError> {
        let scene = Scene::load_with_faults(path)?;
        scene.without_faults()
    }

    /// Like [`Scene::load`], but keeps unknown fields, wrong types and problems with files for later.
    pub(super) fn load_with_faults(path: &FilePath) -> Result<Scene, SceneError> {
        let text = read_text(path)?;
        let name = path.display().to_string();
        let mut scene = Scene::parse(SceneSource { name, text, files: BTreeMap::new() })?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => FilePath::new("."),
        };
        scene.read_files(folder);
        Ok(scene)
    }

    /// Makes a scene from a text and files in memory, as a recording keeps them.
    pub fn from_source(source: SceneSource) -> Result<Scene, SceneError> {
        let mut scene = Scene::parse(source)?;
        let missing =
            scene.named_files().into_iter().filter(|(_, name)| !scene.source.files.contains_key(name));
        let faults: Vec<Finding> = missing
            .map(|(path, name)| {
                let what = format!("the file `{name}` was not kept with the scene");
                scene.tree.finding(
                    Severity::Error,
                    &path,
                    what,
                    "load the scene from its own file".to_owned(),
                )
            })
            .collect();
        scene.faults.extend(faults);
        scene.without_faults()
    }

    /// The scene, or everything that is wrong with it.
    fn without_faults(self) -> Result<Scene, SceneError> {
        if self.faults.is_empty() { Ok(self) } else { Err(self.refused(self.all_wrong())) }
    }

    pub(super) fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// The faults, and all else that is wrong.
    fn all_wrong(&self) -> Vec<Finding> {
        self.build(&Overrides::default()).findings
    }

    /// The faults of the text and the files.
    pub(super) fn faults(&self) -> &[Finding] {
        &self.faults
    }

    /// The fields that a fault has left out.
    pub(super) fn left_out(&self) -> &[Path] {
        &self.left_out
    }

    /// The fields that name part files which could not be read.
    pub(super) fn unread(&self) -> &[Path] {
        &self.unread
    }

    /// Whether a fault has left out the field at a path, or something in it.
    pub(super) fn has_left_out(&self, path: &Path) -> bool {
        self.left_out.iter().any(|left_out| left_out.is_within(path))
    }

    /// The text and files it was read from.
    pub fn source(&self) -> &SceneSource {
        &self.source
    }

    /// The content of the file.
    pub fn written(&self) -> &WrittenScene {
        &self.written
    }

    fn parse(source: SceneSource) -> Result<Scene, SceneError> {
        let refused = |findings| SceneError::Refused { name: source.name.clone(), findings };
        let tree = Tree::parse(&source.text).map_err(|finding| refused(vec![finding]))?;
        let Deviations { findings: faults, broken, unknown, mut meant, lacks_names } = walk(&tree);
        let read = || {
            if broken.is_empty() && unknown.is_empty() {
                return toml::from_str(&source.text);
            }
            let mut table: toml::Table = toml::from_str(&source.text)?;
            broken.iter().chain(&unknown).for_each(|path| path.remove_from(&mut table));
            table.try_into()
        };
        let written: WrittenScene = read().map_err(|error| {
            if !faults.is_empty() {
                return refused(in_order(faults.clone()));
            }
            let what = error.message().trim().replace('\n', "; ");
            let remedy = "see the guide's chapter on scenes".to_owned();
            let span = error.span().unwrap_or(0..0);
            refused(vec![tree.finding_at(&span, &Path::root(), what, remedy)])
        })?;
        meant.extend(broken);
        Ok(Scene { source, written, tree, faults, left_out: meant, unread: Vec::new(), lacks_names })
    }

    pub(super) fn refused(&self, findings: Vec<Finding>) -> SceneError {
        SceneError::Refused { name: self.source.name.clone(), findings: in_order(findings) }
    }

    /// All part files, with the paths of the fields that name them.
    fn named_files(&self) -> Vec<(Path, String)> {
        let mut found = Vec::new();
        let root = Path::root();
        for (index, part) in self.written.part.iter().enumerate() {
            files_of(&part.shape, &root.key("part").index(index), &mut found);
        }
        for (index, body) in self.written.body.iter().enumerate() {
            files_of(&body.shape, &root.key("body").index(index), &mut found);
        }
        for (index, hand) in self.written.hand.iter().enumerate() {
            let path = root.key("hand").index(index).key("path");
            found.extend(hand.path.iter().map(|name| (path.clone(), name.clone())));
        }
        found
    }

    fn read_files(&mut self, folder: &FilePath) {
        let mut total = 0;
        for (path, name) in self.named_files() {
            if self.source.files.contains_key(&name) {
                continue;
            }
            let read = read_part_file(folder, &name).and_then(|bytes| {
                total += bytes.len() as u64;
                if total <= MOST_PART_FILES {
                    return Ok(bytes);
                }
                let what = format!("the part files have more than {MOST_PART_FILES} bytes together");
                Err((what, "make them smaller: fewer triangles, or binary STL or PLY".to_owned()))
            });
            match read {
                Ok(bytes) => {
                    self.source.files.insert(name, bytes);
                }
                Err((what, remedy)) => {
                    self.faults.push(self.tree.finding(Severity::Error, &path, what, remedy));
                    self.unread.push(path);
                }
            }
        }
    }
}

/// Sorts findings by their place in the text.
pub(super) fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| finding.place);
    findings
}

fn files_of(shape: &WrittenShape, path: &Path, found: &mut Vec<(Path, String)>) {
    found.extend(shape.file.iter().map(|name| (path.key("file"), name.clone())));
    for (index, placed) in shape.compound.iter().flatten().enumerate() {
        files_of(&placed.shape, &path.key("compound").index(index), found);
    }
}

fn read_text(path: &FilePath) -> Result<String, SceneError> {
    let unreadable = |what: &str, remedy: &str| SceneError::Unreadable {
        path: path.to_owned(),
        what: what.to_owned(),
        remedy: remedy.to_owned(),
    };
    let of_io = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => unreadable("there is no such file", "check the name"),
        _ => unreadable(&format!("cannot be read ({error})"), "fix the cause and try again"),
    };
    let metadata = fs::metadata(path).map_err(of_io)?;
    let of_a_run = "`silvia resume` continues it, and `silvia report` shows it";
    if metadata.is_dir() {
        return Err(match path.join(FILE_NAME).is_file() {
            true => unreadable("this is the folder of a run, not a scene", of_a_run),
            false => unreadable("this is a folder", "give the scene file in it"),
        });
    }
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    if ending.is_some_and(|ending| ["stl", "obj", "ply"].iter().any(|known| ending == *known)) {
        let remedy = "name it in one, as `file` of a [[body]]; `silvia inspect` looks at parts";
        return Err(unreadable("this is a part, not a scene", remedy));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(of_io)?;
    file.take(MOST_TEXT + 1).read_to_end(&mut bytes).map_err(of_io)?;
    if bytes.len() as u64 > MOST_TEXT {
        let bytes = metadata.len().max(MOST_TEXT + 1);
        return Err(SceneError::TooLarge { path: path.to_owned(), bytes, most: MOST_TEXT });
    }
    if bytes.starts_with(&MAGIC) {
        return Err(unreadable("this is the recording of a run, not a scene", of_a_run));
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..byte].iter().filter(|b| **b == b'\n').count();
        SceneError::NotText { path: path.to_owned(), byte, line }
    })
}

/// The bytes of a file in the folder or below; or the problem and the remedy.
fn read_part_file(folder: &FilePath, name: &str) -> Result<Vec<u8>, (String, String)> {
    if name.is_empty() {
        let remedy = "name an STL, OBJ or PLY file in the scene's folder";
        return Err(("the name of the file is empty".to_owned(), remedy.to_owned()));
    }
    let relative = FilePath::new(name);
    let inside = || "copy the file into the scene's folder and name it from there".to_owned();
    if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err((format!("`{name}` is not in the scene's folder"), inside()));
    }
    let cannot = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => (
            format!("there is no file `{name}` in the scene's folder"),
            "check the name, or put it there".to_owned(),
        ),
        _ => (format!("`{name}` cannot be read ({error})"), "fix the cause and try again".to_owned()),
    };
    let real = fs::canonicalize(folder.join(relative)).map_err(cannot)?;
    if !real.starts_with(fs::canonicalize(folder).map_err(cannot)?) {
        return Err((format!("`{name}` is a link to a place outside the scene's folder"), inside()));
    }
    let metadata = fs::metadata(&real).map_err(cannot)?;
    if !metadata.is_file() {
        return Err((format!("`{name}` is not a file"), "give an STL, OBJ or PLY file".to_owned()));
    }
    if metadata.len() > MOST_PART_FILE {
        let what = format!("`{name}` has {} bytes, more than {MOST_PART_FILE}", metadata.len());
        return Err((what, "make it smaller: fewer triangles, or binary STL or PLY".to_owned()));
    }
    fs::read(&real).map_err(cannot)
}
