//! The shape of a part of a crowd: a file, or a shape with parameters.

use super::file::Fault;
use crate::pair::load_part;
use silvia::proximity::{Shape, Surface};
use silvia::scene::scene::forms::{Form, FormError};
use silvia::scene::scene::written::Units;
use silvia::solid::files::Unit;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// All kinds of shape; exactly one must be given.
pub(super) struct Kinds<'a> {
    pub(super) file: Option<&'a Spanned<String>>,
    /// Unit of the numbers in the file, if it is not that of the crowd.
    pub(super) file_unit: Option<Unit>,
    pub(super) surface: bool,
    /// The other kinds by key, as in scenes: each that is given, with its place.
    pub(super) forms: Vec<(&'static str, Range<usize>, &'a dyn Form)>,
}

impl Kinds<'_> {
    /// The key and the shape, in metres.
    pub(super) fn shape(
        &self,
        part: Range<usize>,
        unit: Unit,
        files: &mut PartFiles<'_>,
    ) -> Result<(&'static str, Shape), Fault> {
        let words = self.file.map(|_| "file").into_iter().chain(self.forms.iter().map(|(word, ..)| *word));
        match (words.collect::<Vec<_>>().as_slice(), self.file, self.forms.first()) {
            ([word], Some(file), _) => {
                Ok((word, files.read(file, self.file_unit.unwrap_or(unit), self.surface)?))
            }
            ([word], None, Some((_, place, form))) => {
                let shape = form.shape(&Units::with_length(unit));
                let fault = |error: FormError| Fault { span: Some(place.clone()), what: error.to_string() };
                Ok((word, shape.map_err(fault)?))
            }
            ([], ..) | (_, None, None) => {
                let what = "this part has no shape: give `file`, `box`, `sphere`, `cylinder`, `cone`, \
                 `capsule`, \
                            `ellipsoid`, `half_space`, `cavity`, `prism`, `torus` or `knot`";
                Err(Fault { span: Some(part), what: what.into() })
            }
            (words, ..) => {
                let what = format!("a part is one thing, not {}: keep one of them", words.join(" and "));
                Err(Fault { span: Some(part), what })
            }
        }
    }
}

/// The part files, each read once: parts from the same file share its triangles.
pub(super) struct PartFiles<'a> {
    folder: &'a Path,
    /// By name, unit, and whether it is treated as a surface.
    shapes: HashMap<(String, Unit, bool), Shape>,
}

impl<'a> PartFiles<'a> {
    /// File names are relative to the folder.
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
