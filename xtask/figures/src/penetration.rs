//! Pictures of the shortest way out, and of convex pieces.

use crate::{Outcome, PALETTE, WHITE, edges, save, seen_from, upright};
use silvia::proximity::Hierarchy;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::{PenetrationOptions, penetration};
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::pieces::{DecomposeOptions, decompose};
use silvia::solid::primitives::{self, TorusKnot};
use silvia::solid::{Pose, Quat, Solid, Soup, Vec3};
use std::path::Path;

/// The way out: no edge has this colour.
const GREEN: Colour = [0.0, 0.38, 0.08];
/// How far the pieces are moved from the middle of the part, as a fraction of where they are.
const APART: f64 = 0.22;

/// Two pairs of parts that overlap, and beside each the same pair after the shortest translation found.
pub(crate) fn way_out(path: &Path) -> Outcome {
    let l = [[-1.0, -1.0], [1.0, -1.0], [1.0, -0.3], [-0.3, -0.3], [-0.3, 1.0], [-1.0, 1.0]];
    let bracket = primitives::extrusion(&l, &[], 0.9)?.scaled(0.7)?;
    let knot = TorusKnot::TREFOIL.soup_with_triangles(4000)?.scaled(0.3)?;
    let tilt = Quat::from_rotation_x(0.9);
    let eye = Vec3::new(0.0, -16.0, 6.0);
    let camera = seen_from(eye, Vec3::new(0.3, 0.0, 0.2), 12.0);
    let mut canvas = Canvas::new(1200, 330, WHITE, camera);
    let scenes: [(&Soup, Pose, Pose, [f64; 2]); 2] = [
        (
            &bracket,
            Pose::new(Vec3::ZERO, upright(-0.4))?,
            Pose::new(Vec3::new(0.5, -0.1, 0.4), upright(2.5))?,
            [-4.6, -1.6],
        ),
        (
            &knot,
            Pose::new(Vec3::ZERO, tilt)?,
            Pose::new(Vec3::new(0.5, 0.0, 0.35), tilt * Quat::from_rotation_y(1.2))?,
            [1.5, 4.4],
        ),
    ];
    for (soup, at_a, at_b, places) in scenes {
        let body: Hierarchy<Obb> = Hierarchy::new(Solid::from_soup(soup)?);
        let found = penetration(&body, &at_a, &body, &at_b, &PenetrationOptions::default())?;
        let found = found.ok_or("the parts in the picture must overlap")?;
        for (x, by) in places.into_iter().zip([Vec3::ZERO, found.translation()]) {
            let aside = Vec3::new(x, 0.0, 0.0);
            let placed = [(at_a, aside), (at_b, aside + by)];
            for (color, (pose, shift)) in placed.into_iter().enumerate() {
                let pose = Pose::new(pose.translation() + shift, pose.rotation())?;
                let solid = Solid::from_soup(&soup.posed(&pose))?;
                canvas.triangles(solid.soup(), |_| PALETTE[color]);
                // The many small folds of a round body would hide it.
                if solid.edge_count() < 1000 {
                    edges(&mut canvas, &solid);
                }
            }
            // From where a point of B was to where it goes; in front of the parts, on the same line of sight.
            let [to, from] = found.points.map(|p| (p + aside).lerp(eye, 0.3));
            canvas.line(from, to, 3.5, GREEN);
            canvas.dot(to, 9.0, GREEN);
        }
    }
    save(&canvas, path)
}

/// A knot and a bracket with their convex pieces, drawn a little apart.
pub(crate) fn pieces(path: &Path) -> Outcome {
    let l = [[-1.0, -1.0], [1.0, -1.0], [1.0, -0.3], [-0.3, -0.3], [-0.3, 1.0], [-1.0, 1.0]];
    let hole = vec![[-0.85, 0.2], [-0.45, 0.2], [-0.45, 0.7], [-0.85, 0.7]];
    let bracket = primitives::extrusion(&l, &[hole], 0.8)?;
    let knot = TorusKnot::TREFOIL.soup_with_triangles(3000)?.scaled(0.42)?;
    let camera = seen_from(Vec3::new(0.0, -16.0, 6.0), Vec3::ZERO, 11.0);
    let mut canvas = Canvas::new(1000, 340, WHITE, camera);
    let turns = [upright(-0.4), Quat::from_rotation_x(0.9)];
    for (index, (soup, turn)) in [bracket, knot].iter().zip(turns).enumerate() {
        let solid = Solid::from_soup(&soup.posed(&Pose::new(Vec3::ZERO, turn)?))?;
        let found = decompose(&solid, &DecomposeOptions { error: 0.03, ..DecomposeOptions::default() })?;
        let middle = Vec3::new(4.2 * index as f64 - 2.1, 0.0, 0.0);
        for (i, piece) in found.pieces.iter().enumerate() {
            let shift = middle + APART * piece.hull.mass().center;
            let placed = Solid::from_soup(&piece.hull.soup().posed(&Pose::from_translation(shift)?))?;
            canvas.triangles(placed.soup(), |_| PALETTE[i % PALETTE.len()]);
            if index == 0 {
                edges(&mut canvas, &placed);
            }
        }
    }
    save(&canvas, path)
}
