//! `silvia collide`: whether two parts touch, and where.

use crate::failure::Failure;
use crate::pair::{Pair, with_bound};
use serde_json::{Value, json};
use silvia::proximity::bounds::Bound;
use silvia::proximity::mesh::{Collision, collide};
use silvia::proximity::{Extent, Hierarchy, Surface};
use silvia::solid::{Pose, TriangleId};

/// Reports whether two parts touch, and with which triangles.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia collide peg.stl plate.stl --unit mm --pose 0,0,12   B moved up by 12 mm
  silvia collide a.ply b.ply --pose 0.1,0,0,0.7071068,0,0,0.7071068   and turned by 90 degrees about z
  silvia collide a.ply b.ply --all                           every pair of triangles that intersect
  silvia collide a.ply b.ply --poses path.csv --json         one JSON object per pose, for programs

Closed parts are filled: one inside the other collides, although no triangles intersect. Open parts
are surfaces only.

JSON has the keys `colliding`, `pairs` (triangle of A, triangle of B; one pair unless --all),
`inside` (\"a\" if A lies wholly inside B, \"b\" the other way round, otherwise null) and, if both parts
are solids, `faces` (the faces of the pairs). The last line has `queries` and `mean_us`, the time of
the queries alone. Whether the parts collide does not change the exit code.")]
pub(crate) struct Collide {
    #[command(flatten)]
    pair: Pair,
    /// Find all pairs of triangles that intersect, not only the first.
    #[arg(long)]
    all: bool,
}

impl Collide {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let poses = self.pair.poses()?;
        let surfaces = self.pair.load()?;
        with_bound!(self.pair.bound, run(self, surfaces, &poses))
    }
}

fn run<B: Bound>(command: &Collide, surfaces: [Surface; 2], poses: &[Pose]) -> Result<(), Failure> {
    let [a, b] = surfaces.map(Hierarchy::<B>::new);
    let extent = if command.all { Extent::All } else { Extent::Any };
    command.pair.ask(
        poses,
        |pose| Ok(collide(&a, &Pose::IDENTITY, &b, pose, extent)),
        |index, found| {
            if command.pair.json {
                return as_json(found, [a.surface(), b.surface()]).to_string();
            }
            let text = as_text(found, command.all);
            if poses.len() == 1 { text } else { format!("{}: {text}", index + 1) }
        },
    )
}

fn as_json(found: &Collision, surfaces: [&Surface; 2]) -> Value {
    let mut object = json!({
        "colliding": found.is_some(),
        "pairs": found.pairs().iter().map(|pair| pair.map(|t| t.0)).collect::<Vec<_>>(),
        "inside": match found {
            Collision::FirstInside => Some("a"),
            Collision::SecondInside => Some("b"),
            _ => None,
        },
    });
    if let ([Surface::Solid(a), Surface::Solid(b)], Some(fields)) = (surfaces, object.as_object_mut()) {
        let faces = |[s, t]: &[TriangleId; 2]| [a.face_of_triangle(*s).0, b.face_of_triangle(*t).0];
        fields.insert("faces".into(), json!(found.pairs().iter().map(faces).collect::<Vec<_>>()));
    }
    object
}

fn as_text(found: &Collision, all: bool) -> String {
    match found {
        Collision::None => "apart".into(),
        Collision::FirstInside => "colliding: A is inside B".into(),
        Collision::SecondInside => "colliding: B is inside A".into(),
        Collision::Surfaces(pairs) if all => {
            let [plural, meet] = if pairs.len() == 1 { ["", "meets"] } else { ["s", "meet"] };
            let mut text = format!("colliding: {} pair{plural} of triangles {meet}", pairs.len());
            for [s, t] in pairs {
                text += &format!("\n  triangle {} of A, triangle {} of B", s.0, t.0);
            }
            text
        }
        Collision::Surfaces(pairs) => {
            let first = pairs.first().map(|[s, t]| format!(": triangle {} of A meets {} of B", s.0, t.0));
            format!("colliding{}", first.unwrap_or_default())
        }
    }
}
