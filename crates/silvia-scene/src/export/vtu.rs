//! Unstructured grids for ParaView: for each frame a file with all triangles and one with the contacts, and
//! collections of both over time. Arrays are appended as raw little-endian bytes, each after its length in
//! bytes.

use super::choice::Chosen;
use super::output::{FolderFile, NewFolder};
use super::{ExportError, Exported};
use crate::recording::{Frame, Header};
use silvia_solid::Vec3;
use std::io::{self, Write};
use std::path::Path;

/// The names of the two series.
const BODIES: &str = "bodies";
const CONTACTS: &str = "contacts";
/// Stands in the collection for frames without contacts: ParaView would show those of the frame before it
/// otherwise. Not named like the others, since some readers cannot read a grid without cells.
const EMPTY: &str = "no_contacts.vtu";
/// The table of body numbers and names.
const NAMES: &str = "names.csv";
/// File names have at least this many digits.
const DIGITS: usize = 4;
/// VTK's codes for cell types.
const VTK_VERTEX: u8 = 1;
const VTK_TRIANGLE: u8 = 5;

pub(super) fn write(
    chosen: &Chosen<'_>,
    path: &Path,
    replace: bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let mut folder = NewFolder::create(path, replace, is_ours)?;
    let header = chosen.header();
    let mut names = folder.file(NAMES)?;
    names.put(|out| out.write_all(super::csv::numbered_names(header).as_bytes()))?;
    folder.close(names)?;
    let digits = chosen.last_number().to_string().len().max(DIGITS);
    let mut has_empty = false;
    let mut collections = [(BODIES, Vec::new()), (CONTACTS, Vec::new())];
    for (done, frame) in chosen.frames().enumerate() {
        let (number, frame) = frame?;
        for (series, files) in &mut collections {
            let is_empty = *series == CONTACTS && frame.contacts.is_empty();
            let name = if is_empty { EMPTY.to_owned() } else { format!("{series}_{number:0digits$}.vtu") };
            // One file without points serves all such frames.
            if !is_empty || !has_empty {
                let grid = if *series == BODIES { bodies(header, &frame) } else { contacts(&frame) };
                let mut file = folder.file(&name)?;
                grid.write(&mut file)?;
                folder.close(file)?;
            }
            has_empty |= is_empty;
            files.push((frame.time, name));
        }
        progress(done + 1, chosen.len());
    }
    for (series, files) in &collections {
        let mut file = folder.file(&format!("{series}.pvd"))?;
        file.put(|out| collection(out, files))?;
        folder.close(file)?;
    }
    Ok(folder.finish(chosen.len()))
}

/// Whether an export may have written a file of that name.
fn is_ours(name: &str) -> bool {
    let frame = |series: &str| {
        let number = name.strip_prefix(series).and_then(|rest| rest.strip_prefix('_'));
        number.and_then(|rest| rest.strip_suffix(".vtu")).is_some_and(|number| {
            number.len() >= DIGITS && number.bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    [NAMES, EMPTY].contains(&name)
        || [BODIES, CONTACTS].iter().any(|&series| frame(series) || name == format!("{series}.pvd"))
}

/// Writes the values of an array.
type Values<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>;

/// An array of a grid, generated while it is written.
struct Array<'a> {
    name: &'static str,
    kind: &'static str,
    components: usize,
    bytes: u64,
    values: Values<'a>,
}

/// The arrays of points and of cells, the points, and the cells.
struct Grid<'a> {
    points: usize,
    cells: usize,
    point_data: Vec<Array<'a>>,
    cell_data: Vec<Array<'a>>,
    positions: Array<'a>,
    topology: Vec<Array<'a>>,
}

impl Grid<'_> {
    fn write(&self, file: &mut FolderFile) -> Result<(), ExportError> {
        file.put(|out| {
            let (points, cells) = (self.points, self.cells);
            write!(
                out,
                "<?xml version=\"1.0\"?>\n\
                 <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
                 header_type=\"UInt64\">\n\
                 <UnstructuredGrid>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n"
            )?;
            let sections = [
                ("PointData", self.point_data.as_slice()),
                ("CellData", &self.cell_data),
                ("Points", std::slice::from_ref(&self.positions)),
                ("Cells", &self.topology),
            ];
            let arrays = || sections.iter().flat_map(|(_, arrays)| arrays.iter());
            // Write the last array first. meshio moves arrays one by one and finds them by their old offsets;
            // in ascending order it would take one that it has moved for another.
            let mut offset: u64 = arrays().map(|array| LENGTH + array.bytes).sum();
            for (section, arrays) in sections {
                writeln!(out, "<{section}>")?;
                for Array { name, kind, components, bytes, .. } in arrays {
                    offset -= LENGTH + bytes;
                    writeln!(
                        out,
                        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
                         format=\"appended\" offset=\"{offset}\"/>"
                    )?;
                }
                writeln!(out, "</{section}>")?;
            }
            write!(out, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;
            for array in arrays().rev() {
                out.write_all(&array.bytes.to_le_bytes())?;
                (array.values)(out)?;
            }
            write!(out, "\n</AppendedData>\n</VTKFile>\n")
        })
    }
}

/// Size of the length before each array, bytes.
const LENGTH: u64 = 8;

fn bodies<'a>(header: &'a Header, frame: &'a Frame) -> Grid<'a> {
    let points: usize = header.bodies.iter().map(|body| body.mesh.points.len()).sum();
    let cells: usize = header.bodies.iter().map(|body| body.mesh.triangles.len()).sum();
    let placed = || header.bodies.iter().zip(&frame.poses).zip(&frame.velocities);
    let positions = move || {
        placed().flat_map(|((body, pose), _)| body.mesh.points.iter().map(|&p| pose.transform_point(p)))
    };
    let velocities = move || {
        placed().flat_map(|((body, pose), velocity)| {
            // The velocity is that of the centre of mass.
            let point =
                |&p: &Vec3| velocity.linear + velocity.angular.cross(pose.transform_vector(p - body.centre));
            body.mesh.points.iter().map(point)
        })
    };
    let corners = move || {
        let mut first: i64 = 0;
        header.bodies.iter().flat_map(move |body| {
            let base = first;
            first += body.mesh.points.len() as i64;
            body.mesh.triangles.iter().flat_map(move |t| t.map(|corner| base + i64::from(corner)))
        })
    };
    // One value per body, repeated for all its triangles.
    let triangles = move || {
        let numbered = header.bodies.iter().enumerate();
        numbered.flat_map(|(place, body)| std::iter::repeat_n(place, body.mesh.triangles.len()))
    };
    let ends = move || (1..=cells as i64).map(|cell| 3 * cell);
    let speed = move |place: usize| frame.velocities[place].linear.length();
    let colour = move |place: usize| header.bodies[place].colour;
    Grid {
        points,
        cells,
        point_data: vec![vectors("velocity", points, velocities)],
        cell_data: vec![
            array("body", "Int32", cells, move || triangles().map(|place| (place as i32).to_le_bytes())),
            array("role", "UInt8", cells, move || {
                triangles().map(|place| [role_number(&header.bodies[place].role)])
            }),
            array("speed", "Float64", cells, move || {
                triangles().map(move |place| speed(place).to_le_bytes())
            }),
            Array { components: 3, ..array("colour", "UInt8", cells, move || triangles().map(colour)) },
        ],
        positions: vectors("Points", points, positions),
        topology: vec![
            array("connectivity", "Int64", 3 * cells, move || corners().map(i64::to_le_bytes)),
            array("offsets", "Int64", cells, move || ends().map(i64::to_le_bytes)),
            array("types", "UInt8", cells, move || std::iter::repeat_n([VTK_TRIANGLE], cells)),
        ],
    }
}

fn contacts(frame: &Frame) -> Grid<'_> {
    let contacts = frame.contacts.as_slice();
    let count = contacts.len();
    let body = move |which: usize| contacts.iter().map(move |c| c.bodies[which].to_le_bytes());
    Grid {
        points: count,
        cells: count,
        point_data: vec![
            vectors("force", count, move || contacts.iter().map(|contact| contact.force)),
            vectors("normal", count, move || contacts.iter().map(|contact| contact.normal)),
            array("gap", "Float64", count, move || contacts.iter().map(|contact| contact.gap.to_le_bytes())),
            array("body_a", "Int32", count, move || body(0)),
            array("body_b", "Int32", count, move || body(1)),
        ],
        cell_data: Vec::new(),
        positions: vectors("Points", count, move || contacts.iter().map(|contact| contact.point)),
        topology: vec![
            array("connectivity", "Int64", count, move || (0..count as i64).map(i64::to_le_bytes)),
            array("offsets", "Int64", count, move || (1..=count as i64).map(i64::to_le_bytes)),
            array("types", "UInt8", count, move || std::iter::repeat_n([VTK_VERTEX], count)),
        ],
    }
}

/// An array of `count` values, each given as bytes.
fn array<'a, const N: usize, I: Iterator<Item = [u8; N]>>(
    name: &'static str,
    kind: &'static str,
    count: usize,
    values: impl Fn() -> I + 'a,
) -> Array<'a> {
    let write = move |out: &mut dyn Write| values().try_for_each(|value| out.write_all(&value));
    Array { name, kind, components: 1, bytes: (count * N) as u64, values: Box::new(write) }
}

/// An array of vectors.
fn vectors<'a, I: Iterator<Item = Vec3>>(
    name: &'static str,
    count: usize,
    values: impl Fn() -> I + 'a,
) -> Array<'a> {
    let numbers = move || values().flat_map(|value| value.to_array()).map(f64::to_le_bytes);
    Array { components: 3, ..array(name, "Float64", 3 * count, numbers) }
}

/// Roles as numbers; 255 for an unknown role.
fn role_number(role: &str) -> u8 {
    match role {
        "fixed" => 0,
        "free" => 1,
        "held" => 2,
        "scripted" => 3,
        _ => 255,
    }
}

/// A list of files with their times, s. The names need no escapes.
fn collection(out: &mut dyn Write, files: &[(f64, String)]) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\"?>")?;
    writeln!(out, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>")?;
    for (time, file) in files {
        writeln!(out, "<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
    }
    writeln!(out, "</Collection>\n</VTKFile>")
}
