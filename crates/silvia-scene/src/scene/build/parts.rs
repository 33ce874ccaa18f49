//! Parts and their shapes.

use super::Build;
use super::repairs::Repairs;
use super::self_crossing::Remedies;
use crate::scene::forms::FormError;
use crate::scene::tree::Path;
use crate::scene::written::{WrittenScene, WrittenShape};
use silvia_proximity::shape::Mesh;
use silvia_proximity::{Shape, ShapeError};
use silvia_solid::check::DefectKind;
use silvia_solid::files::{FileProblem, ReadOptions, Unit, read_bytes};
use silvia_solid::{Pose, Remedy, Solid, SolidError, Soup, self_crossings};
use std::collections::{BTreeMap, HashMap};

/// How deep parts may be nested.
const MOST_NESTED: usize = 32;
/// The most shapes in a compound, nested ones included. Without this limit, a few lines could exhaust the
/// memory.
const MOST_PIECES: usize = 10_000;
/// The most triangles in a part file.
const MOST_TRIANGLES_OF_FILE: usize = 20_000_000;

/// The parts of a scene, each made when first needed.
pub(super) struct Parts {
    /// Indices by name; of equal names the first.
    numbers: BTreeMap<String, usize>,
    states: Vec<State>,
    used: Vec<bool>,
    /// Bodies from one file, read in one way, share its triangles.
    files: HashMap<FileKey, Option<Shape>>,
}

/// Name, unit, whether it is only a surface, scale (as bits), and repairs.
type FileKey = (String, Unit, bool, u64, Option<Repairs>);

#[derive(Clone)]
enum State {
    New,
    /// Under construction: a part that refers to it now contains itself.
    Open,
    /// None if it has an error, which has been reported.
    Done(Option<Shape>),
}

impl Parts {
    pub(super) fn of(scene: &WrittenScene) -> Parts {
        let mut numbers = BTreeMap::new();
        for (number, part) in scene.part.iter().enumerate() {
            numbers.entry(part.name.clone()).or_insert(number);
        }
        let count = scene.part.len();
        Parts { numbers, states: vec![State::New; count], used: vec![false; count], files: HashMap::new() }
    }

    /// Whether each part is used, in the order of the scene.
    pub(super) fn used(self) -> Vec<bool> {
        self.used
    }
}

impl Build<'_> {
    /// Makes all parts, so that errors are found in unused ones too.
    pub(super) fn check_parts(&mut self, parts: &mut Parts) {
        for (number, part) in self.scene.written().part.iter().enumerate() {
            let path = Path::root().key("part").index(number);
            if part.name.trim().is_empty() {
                self.error(&path.key("name"), "a part must have a name", "give it one");
            } else if parts.numbers.get(&part.name) != Some(&number) {
                let what = format!("there is a part \"{}\" already", part.name);
                self.error(&path.key("name"), what, "give it another name");
            }
            self.part(parts, number, 0);
        }
    }

    fn part(&mut self, parts: &mut Parts, number: usize, depth: usize) -> Option<Shape> {
        if let State::Done(shape) = &parts.states[number] {
            return shape.clone();
        }
        parts.states[number] = State::Open;
        let path = Path::root().key("part").index(number);
        let shape = self.shape(parts, &self.scene.written().part[number].shape, &path, depth);
        parts.states[number] = State::Done(shape.clone());
        shape
    }

    /// The shape described at a path; none on error.
    pub(super) fn shape(
        &mut self,
        parts: &mut Parts,
        written: &WrittenShape,
        path: &Path,
        depth: usize,
    ) -> Option<Shape> {
        let given = written.given();
        let [word] = given[..] else {
            match &given[..] {
                [] => self.lacking(
                    path,
                    &WrittenShape::WORDS,
                    "it has no shape",
                    format!("give one of {}", WrittenShape::WORDS.join(", ")),
                ),
                several => {
                    self.sure_error(
                        path,
                        format!("it has more than one shape: {}", several.join(" and ")),
                        "keep one of them",
                    );
                }
            }
            return None;
        };
        let of_files = [
            ("unit", written.unit.is_some()),
            ("surface", written.surface.is_some()),
            ("scale", written.scale.is_some()),
            ("repair", written.repair.is_some()),
            ("repair_within", written.repair_within.is_some()),
        ];
        for (field, is_given) in of_files {
            if is_given && word != "file" {
                self.error(
                    &path.key(field),
                    "this applies only to a `file`, and none is given",
                    "leave it out",
                );
            }
        }
        let inner = path.key(word);
        match word {
            "part" => self.named_part(parts, written.part.as_deref()?, &inner, depth),
            "file" => self.file(parts, written, path),
            "compound" => self.compound(parts, written, &inner, depth),
            _ => {
                let made = written.made(&self.units)?;
                let made = made.and_then(|shape| in_range(&shape).map(|()| shape));
                let shape = made.map_err(|error| self.form_error(&inner, &error)).ok()?;
                if let Shape::Solid(mesh) = &shape {
                    self.refuse_crossing(mesh.hierarchy().surface().soup(), &inner, &Remedies::OfSizes)?;
                }
                Some(shape)
            }
        }
    }

    fn named_part(&mut self, parts: &mut Parts, name: &str, path: &Path, depth: usize) -> Option<Shape> {
        let Some(&number) = parts.numbers.get(name) else {
            let known: Vec<String> = self.scene.written().part.iter().map(|part| part.name.clone()).collect();
            self.no_such(path, "part", name, &known);
            return None;
        };
        parts.used[number] = true;
        if matches!(parts.states[number], State::Open) {
            let what = format!("the part \"{name}\" is made of itself");
            self.error(path, what, "remove one of the parts that lead back to it");
            return None;
        }
        if depth >= MOST_NESTED {
            let what = format!("parts are made of parts more than {MOST_NESTED} deep");
            self.error(path, what, "name the innermost parts directly");
            return None;
        }
        self.part(parts, number, depth + 1)
    }

    fn compound(
        &mut self,
        parts: &mut Parts,
        written: &WrittenShape,
        path: &Path,
        depth: usize,
    ) -> Option<Shape> {
        let placed = written.compound.as_deref()?;
        let mut pieces: Vec<(Pose, Shape)> = Vec::new();
        let (mut count, mut is_whole) = (0, true);
        for (index, piece) in placed.iter().enumerate() {
            let path = path.index(index);
            let shape = if depth < MOST_NESTED {
                self.shape(parts, &piece.shape, &path, depth + 1)
            } else {
                let what = format!("compounds are made of compounds more than {MOST_NESTED} deep");
                self.error(&path, what, "give the innermost shapes directly");
                None
            };
            let pose = self.pose(&path, &piece.position, &piece.rotation);
            let (Some(shape), Some(pose)) = (shape, pose) else {
                is_whole = false;
                continue;
            };
            count += shape.as_compound().map_or(1, |compound| compound.parts().len());
            if count > MOST_PIECES {
                let what = format!("a compound of more than {MOST_PIECES} shapes");
                self.error(&path, what, "make it of fewer, or take a `file`");
                return None;
            }
            pieces.push((pose, shape));
        }
        if !is_whole {
            return None;
        }
        Shape::compound(pieces).map_err(|error| self.form_error(path, &error.into())).ok()
    }

    fn file(&mut self, parts: &mut Parts, written: &WrittenShape, path: &Path) -> Option<Shape> {
        let name = written.file.as_ref()?;
        let unit = self.file_unit(written, path)?;
        let as_surface = written.surface.unwrap_or(false);
        let scale = self.scale(written, path)?;
        let repairs = self.repairs(written, path)?;
        let key = (name.clone(), unit, as_surface, scale.to_bits(), repairs.clone());
        if let Some(known) = parts.files.get(&key) {
            return known.clone();
        }
        // A file that could not be read has been reported.
        let bytes = self.scene.source().files.get(name)?;
        let options = ReadOptions { unit, max_triangles: MOST_TRIANGLES_OF_FILE };
        let entry = path;
        let path = path.key("file");
        let shape = match read_bytes(bytes, name, &options) {
            Err(error) => {
                let remedy = match error.problem {
                    FileProblem::UnknownExtension { .. } => {
                        "export it as .stl, .obj or .ply where it was made".to_owned()
                    }
                    _ => error.remedy(),
                };
                self.error(&path, error.what(), remedy);
                None
            }
            Ok(part) => self.changed(part.soup, scale, repairs.as_ref(), entry).and_then(|soup| {
                // Repairs come before the scale. What the file has is read again only if there is need.
                let as_read = || read_bytes(bytes, name, &options).ok().map(|part| part.soup);
                self.shape_of_soup(soup, as_surface, &path, as_read)
            }),
        };
        parts.files.insert(key, shape.clone());
        shape
    }

    /// `as_read`: the triangles before repairs and scale.
    fn shape_of_soup(
        &mut self,
        soup: Soup,
        as_surface: bool,
        path: &Path,
        as_read: impl Fn() -> Option<Soup>,
    ) -> Option<Shape> {
        let shape = if as_surface {
            Shape::soup(soup)
        } else {
            match Solid::from_soup(&soup) {
                Ok(solid) => {
                    self.refuse_crossing(&soup, path, &Remedies::OfFile(&as_read))?;
                    Shape::solid(solid)
                }
                Err(error) => {
                    let file = as_read();
                    if file.as_ref().is_some_and(is_whole) {
                        let remedy = "leave `repair` and `scale` out, or give less: without them it is one";
                        self.error(path, error.what(), remedy);
                        return None;
                    }
                    // Shells that cut through each other look like one inside out in another. In a cracked
                    // surface triangles do so too, but that is not the cause.
                    if !is_open(&error) {
                        self.refuse_crossing(&soup, path, &Remedies::OfFile(&as_read))?;
                    }
                    let way = self.way_to_a_solid(file.as_ref().unwrap_or(&soup));
                    self.error(path, error.what(), way.unwrap_or_else(|otherwise| otherwise));
                    return None;
                }
            }
        };
        in_range(&shape).map_err(|error| self.form_error(path, &error)).ok()?;
        Some(shape)
    }

    /// The unit of the numbers in a part file.
    fn file_unit(&mut self, written: &WrittenShape, path: &Path) -> Option<Unit> {
        let of_scene = self.scene.written().units.length.as_deref();
        let symbol = written.unit.as_deref().or(of_scene).unwrap_or("m");
        let unit = if symbol == "inch" { Ok(Unit::Inch) } else { symbol.parse::<Unit>() };
        if unit.is_err() {
            let what = format!("`{symbol}` is not a unit of part files");
            self.error(&path.key("unit"), what, "give one of m, mm, cm, um, in, ft");
        }
        unit.ok()
    }

    fn form_error(&mut self, path: &Path, error: &FormError) {
        let path = error.field().map_or(path.clone(), |field| path.key(field));
        if let FormError::Shape(ShapeError::NotALength { kind, name, value }) = error {
            // In the unit of the scene, not in metres.
            let (number, unit) = (self.units.length.of_si(*value), self.unit_of_length());
            let what = format!("the {name} of the {kind} is {number} {unit}");
            return self.error(&path, what, "it must be a length above 0");
        }
        let remedy = Some(error.remedy()).filter(|remedy| !remedy.is_empty());
        self.error(&path, error.what(), remedy.unwrap_or("give other sizes".to_owned()));
    }
}

/// Whether triangles are a solid that does not pass through itself.
fn is_whole(soup: &Soup) -> bool {
    Solid::from_soup(soup).is_ok() && self_crossings(soup, 1).is_none()
}

/// Whether a surface has edges without a neighbour.
fn is_open(error: &SolidError) -> bool {
    match error {
        SolidError::Unfit { report } => {
            report.defects.iter().any(|defect| defect.kind == DefectKind::OpenEdge)
        }
        SolidError::NoVolume { .. } | SolidError::Tolerance { .. } => false,
    }
}

/// Checks that the coordinates of a mesh are in the range where queries are exact.
fn in_range(shape: &Shape) -> Result<(), FormError> {
    match shape {
        Shape::Solid(_) | Shape::Soup(_) => {}
        // Their constructors have seen to it.
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Compound(_) => return Ok(()),
    }
    let bounds = shape.aabb(&Pose::IDENTITY);
    let value = bounds.min.abs().max(bounds.max.abs()).max_element();
    if Mesh::LENGTHS.contains(&value) {
        return Ok(());
    }
    let (least, most) = (*Mesh::LENGTHS.start(), *Mesh::LENGTHS.end());
    Err(silvia_proximity::ShapeError::OutOfRange { kind: "mesh", value, least, most }.into())
}
