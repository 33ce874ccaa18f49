//! The picture of a way, or of where it ends: what stays is cut open, so that what moves is seen.

use silvia::contact::Twist;
use silvia::fit::{Blocked, Part};
use silvia::proximity::Surface;
use silvia::scene::drawing::Mesh;
use silvia::scene::picture::{Artist, PictureError, PictureOptions};
use silvia::scene::recording::{FrameContact, RecordedBody};
use silvia::scene::stage::Stage;
use silvia::scene::{Frame, Header, Recording};
use silvia::solid::cut::cut;
use silvia::solid::{Plane, Pose, Vec3};
use std::sync::Arc;

/// What a picture shows.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    /// A part at its goal.
    Still(usize),
    /// A part at some places of its way, from the goal outwards.
    Way(usize, Vec<Pose>),
    /// A part where it stopped, what stops it there, and where it would be at the narrowest place.
    Stopped(Blocked),
}

/// Places of a way that are drawn.
const PLACES: usize = 4;
/// Colours of what moves, one a part, and of what stays.
const COLOURS: [[u8; 3]; 6] =
    [[230, 159, 0], [0, 114, 178], [0, 158, 115], [213, 94, 0], [204, 121, 167], [86, 180, 233]];
const STAYS: [u8; 3] = [190, 190, 190];
/// How much of its colour a part keeps where it only would be.
const FADED: f64 = 0.35;
/// What stays hides what moves if it is this much wider along two axes.
const WIDER: f64 = 1.05;
/// Width and height, pixels.
const SIZE: [usize; 2] = [960, 720];

/// Something to draw.
struct Drawn {
    part: usize,
    pose: Pose,
    colour: [u8; 3],
    stays: bool,
}

/// The picture, as PNG.
pub(super) fn picture(parts: &[Part], shown: &[Shown]) -> Result<Vec<u8>, PictureError> {
    let drawn: Vec<Drawn> =
        shown.iter().enumerate().flat_map(|(number, one)| drawn(parts, number, one)).collect();
    let contacts = contacts(shown);
    let whole = recording(parts, &drawn, None, &[]);
    let view = Stage::of(&whole)?.view_in(SIZE[0] as f64 / SIZE[1] as f64);
    // Cut through the middle of what moves, by the plane of two axes that is seen most from the front.
    let middle = middle(parts, &drawn);
    let towards = view.eye - view.target;
    let normal = if towards.x.abs() > towards.y.abs() {
        Vec3::X * towards.x.signum()
    } else {
        Vec3::Y * towards.y.signum()
    };
    let plane = hides(parts, &drawn).then(|| Plane { normal, offset: normal.dot(middle) });
    let opened = recording(parts, &drawn, plane, &contacts);
    let options = PictureOptions {
        width: SIZE[0],
        height: SIZE[1],
        view: Some(view),
        contacts: true,
        labels: false,
        caption: false,
    };
    Artist::new(&opened)?.frame(0, &options)?.png()
}

fn drawn(parts: &[Part], number: usize, shown: &Shown) -> Vec<Drawn> {
    let colour = COLOURS[number.saturating_sub(1) % COLOURS.len()];
    match shown {
        Shown::Still(part) => {
            vec![Drawn { part: *part, pose: parts[*part].goal, colour: STAYS, stays: true }]
        }
        Shown::Way(part, path) => {
            let last = path.len() - 1;
            let at = |place: usize| {
                let share = place as f64 / (PLACES - 1) as f64;
                let pose = path[(share * last as f64).round() as usize];
                Drawn { part: *part, pose, colour: faded(colour, 1.0 - 0.6 * share), stays: false }
            };
            (0..PLACES).map(at).collect()
        }
        Shown::Stopped(blocked) => {
            let part = blocked.part;
            let end = blocked.path.last().copied().unwrap_or(parts[part].goal);
            let would_be = blocked.narrow.map(|narrow| (narrow.pose, faded(colour, FADED)));
            let all = would_be.into_iter().chain([(end, colour)]);
            all.map(|(pose, colour)| Drawn { part, pose, colour, stays: false }).collect()
        }
    }
}

/// Nearer to white.
fn faded(colour: [u8; 3], share: f64) -> [u8; 3] {
    colour.map(|c| (255.0 - share * (255.0 - f64::from(c))).round() as u8)
}

/// The forces that stop a part, as arrows.
fn contacts(shown: &[Shown]) -> Vec<FrameContact> {
    let stops = shown.iter().filter_map(|one| match one {
        Shown::Stopped(blocked) => Some(&blocked.stops),
        _ => None,
    });
    let contact = |stop: &silvia::fit::Stop| FrameContact {
        bodies: [0, 1],
        point: stop.at,
        normal: stop.normal,
        gap: 0.0,
        force: stop.share * stop.normal,
    };
    stops.flatten().map(contact).collect()
}

/// A recording of one frame, in which what stays is cut off in front of a plane.
fn recording(parts: &[Part], drawn: &[Drawn], plane: Option<Plane>, contacts: &[FrameContact]) -> Recording {
    let body = |(number, one): (usize, &Drawn)| RecordedBody {
        name: format!("{} {number}", parts[one.part].name),
        role: if one.stays { "fixed" } else { "free" }.to_owned(),
        mass: 0.0,
        centre: Vec3::ZERO,
        colour: one.colour,
        mesh: Arc::new(mesh(&parts[one.part], &one.pose, plane.filter(|_| one.stays))),
    };
    let bodies: Vec<RecordedBody> = drawn.iter().enumerate().map(body).collect();
    let frame = Frame {
        poses: drawn.iter().map(|one| one.pose).collect(),
        velocities: vec![Twist::default(); drawn.len()],
        contacts: contacts.to_vec(),
        ..Frame::default()
    };
    Recording::in_memory(Header { bodies, ..Header::default() }, vec![frame])
}

/// The mesh of a part; of a solid, what is behind a plane, if there is one.
fn mesh(part: &Part, pose: &Pose, plane: Option<Plane>) -> Mesh {
    let whole = Mesh::of(&part.shape, 0.0);
    let (Some(plane), Some(mesh)) = (plane, part.shape.as_mesh()) else { return whole };
    let Surface::Solid(solid) = mesh.hierarchy().surface() else { return whole };
    let normal = pose.inverse().transform_vector(plane.normal);
    let offset = plane.offset - plane.normal.dot(pose.translation());
    match cut(solid, &Plane { normal, offset }) {
        Ok((Some(behind), _)) => Mesh::from(behind.soup()),
        // Nothing behind it, or a cut that cannot be closed: better whole than nothing.
        _ => whole,
    }
}

/// Whether what stays is wide enough to hide what moves.
fn hides(parts: &[Part], drawn: &[Drawn]) -> bool {
    let size = |one: &Drawn| parts[one.part].shape.aabb(&one.pose).size();
    let Some(moving) = drawn.iter().find(|one| !one.stays).map(size) else { return false };
    let wider = |still: &Drawn| size(still).cmpgt(WIDER * moving).bitmask().count_ones() >= 2;
    drawn.iter().filter(|one| one.stays).any(wider)
}

/// The middle of what moves where it is first drawn, m.
fn middle(parts: &[Part], drawn: &[Drawn]) -> Vec3 {
    let moving = drawn.iter().find(|one| !one.stays);
    moving.map_or(Vec3::ZERO, |one| parts[one.part].shape.aabb(&one.pose).center())
}
