//! What a part of a crowd is made of: a file, or a shape by its parameters.

use super::file::Fault;
use crate::pair::load_part;
use serde::Deserialize;
use silvia::proximity::{Shape, ShapeError, Surface};
use silvia::solid::files::Unit;
use silvia::solid::primitives::{self, PrimitiveError, TorusKnot};
use silvia::solid::{Plane, Solid, Soup, Vec3};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// All that a part can be; just one of them must be given.
pub(super) struct Kinds<'a> {
    pub(super) file: Option<&'a Spanned<String>>,
    /// Of the numbers in the file, if not that of the crowd.
    pub(super) file_unit: Option<Unit>,
    pub(super) surface: bool,
    pub(super) cuboid: Option<&'a Spanned<Cuboid>>,
    pub(super) sphere: Option<&'a Spanned<Sphere>>,
    pub(super) cylinder: Option<&'a Spanned<Upright>>,
    pub(super) cone: Option<&'a Spanned<Upright>>,
    pub(super) capsule: Option<&'a Spanned<Upright>>,
    pub(super) half_space: Option<&'a Spanned<HalfSpace>>,
    pub(super) prism: Option<&'a Spanned<Prism>>,
    pub(super) torus: Option<&'a Spanned<Torus>>,
    pub(super) knot: Option<&'a Spanned<Knot>>,
}

/// `box = { size = [40, 20, 10] }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cuboid {
    size: [f64; 3],
}

/// `sphere = { radius = 5 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sphere {
    radius: f64,
}

/// `cylinder = { radius = 5, height = 20 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Upright {
    radius: f64,
    height: f64,
}

/// `half_space = { normal = [0, 0, 1], offset = 0 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HalfSpace {
    normal: [f64; 3],
    #[serde(default)]
    offset: f64,
}

/// `prism = { sides = 6, radius = 5, height = 20 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Prism {
    sides: usize,
    radius: f64,
    height: f64,
}

/// `torus = { ring = 20, tube = 5 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Torus {
    ring: f64,
    tube: f64,
    along: Option<usize>,
    around: Option<usize>,
}

/// `knot = { ring = 2, coil = 1, tube = 0.4 }`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Knot {
    ring: f64,
    coil: f64,
    tube: f64,
    around_axis: Option<u32>,
    around_ring: Option<u32>,
    triangles: Option<usize>,
}

impl Kinds<'_> {
    /// The word for it, and the shape, in metres.
    pub(super) fn shape(
        &self,
        part: Range<usize>,
        unit: Unit,
        files: &mut PartFiles<'_>,
    ) -> Result<(&'static str, Shape), Fault> {
        let length = |value: f64| unit.to_metres(value);
        let mut found: Vec<(&'static str, Result<Shape, Fault>)> = Vec::new();
        if let Some(file) = self.file {
            found.push(("file", files.read(file, self.file_unit.unwrap_or(unit), self.surface)));
        }
        if let Some(place) = self.cuboid {
            let size = Vec3::from(place.get_ref().size.map(length));
            found.push(("box", exact(place, Shape::cuboid(size))));
        }
        if let Some(place) = self.sphere {
            found.push(("sphere", exact(place, Shape::sphere(length(place.get_ref().radius)))));
        }
        for (word, given, make) in [
            ("cylinder", self.cylinder, Shape::cylinder as fn(f64, f64) -> Result<Shape, ShapeError>),
            ("cone", self.cone, Shape::cone),
            ("capsule", self.capsule, Shape::capsule),
        ] {
            if let Some(place) = given {
                let Upright { radius, height } = place.get_ref();
                found.push((word, exact(place, make(length(*radius), length(*height)))));
            }
        }
        if let Some(place) = self.half_space {
            let HalfSpace { normal, offset } = place.get_ref();
            let plane = Plane { normal: Vec3::from(*normal), offset: length(*offset) };
            found.push(("half_space", exact(place, Shape::half_space(plane))));
        }
        if let Some(place) = self.prism {
            let Prism { sides, radius, height } = place.get_ref();
            found.push((
                "prism",
                triangles(place, primitives::prism(*sides, length(*radius), length(*height))),
            ));
        }
        if let Some(place) = self.torus {
            let Torus { ring, tube, along, around } = place.get_ref();
            let soup =
                primitives::torus(length(*ring), length(*tube), along.unwrap_or(48), around.unwrap_or(16));
            found.push(("torus", triangles(place, soup)));
        }
        if let Some(place) = self.knot {
            let given = place.get_ref();
            let knot = TorusKnot {
                around_axis: given.around_axis.unwrap_or(TorusKnot::TREFOIL.around_axis),
                around_ring: given.around_ring.unwrap_or(TorusKnot::TREFOIL.around_ring),
                ring_radius: length(given.ring),
                coil_radius: length(given.coil),
                tube_radius: length(given.tube),
            };
            found.push((
                "knot",
                triangles(place, knot.soup_with_triangles(given.triangles.unwrap_or(10_000))),
            ));
        }
        let words: Vec<&str> = found.iter().map(|(word, _)| *word).collect();
        match found.pop() {
            Some((word, shape)) if found.is_empty() => Ok((word, shape?)),
            Some(_) => {
                let what = format!("a part is one thing, not {}: keep one of them", words.join(" and "));
                Err(Fault { span: Some(part), what })
            }
            None => {
                let what = "this part has no shape: give `file`, `box`, `sphere`, `cylinder`, `cone`, `capsule`, \
                            `half_space`, `prism`, `torus` or `knot`";
                Err(Fault { span: Some(part), what: what.into() })
            }
        }
    }
}

/// The files that parts are read from, each once: parts of one file share its triangles.
pub(super) struct PartFiles<'a> {
    folder: &'a Path,
    /// By name, unit, and whether it is taken as a mere surface.
    shapes: HashMap<(String, Unit, bool), Shape>,
}

impl<'a> PartFiles<'a> {
    /// Names of files are taken from the folder.
    pub(super) fn new(folder: &'a Path) -> PartFiles<'a> {
        PartFiles { folder, shapes: HashMap::new() }
    }

    fn read(&mut self, file: &Spanned<String>, unit: Unit, as_surface: bool) -> Result<Shape, Fault> {
        let key = (file.get_ref().clone(), unit, as_surface);
        if let Some(shape) = self.shapes.get(&key) {
            return Ok(shape.clone());
        }
        let surface = load_part(&self.folder.join(file.get_ref()), unit, as_surface);
        let shape = match surface.map_err(|failure| Fault::at(file, failure))? {
            Surface::Solid(solid) => Shape::solid(solid),
            Surface::Soup(soup) => Shape::soup((*soup).clone()),
        };
        self.shapes.insert(key, shape.clone());
        Ok(shape)
    }
}

fn exact<T>(place: &Spanned<T>, shape: Result<Shape, ShapeError>) -> Result<Shape, Fault> {
    shape.map_err(|error| Fault::at(place, error))
}

/// A solid of triangles, as `silvia make` makes it.
fn triangles<T>(place: &Spanned<T>, soup: Result<Soup, PrimitiveError>) -> Result<Shape, Fault> {
    let soup = soup.map_err(|error| Fault::at(place, error))?;
    Ok(Shape::solid(Solid::from_soup(&soup).map_err(|error| Fault::at(place, error))?))
}
