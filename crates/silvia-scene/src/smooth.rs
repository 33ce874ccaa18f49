//! Normals for meshes of curved surfaces, and their visible edges.

use crate::drawing::Mesh;
use silvia_solid::Vec3;
use std::collections::HashMap;

/// Triangles with a normal at each corner, for shading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmoothMesh {
    /// Vertices, m.
    pub points: Vec<Vec3>,
    /// Unit normals, one per vertex. A vertex of the mesh appears once for each of its normals.
    pub normals: Vec<Vec3>,
    /// Three vertex indices each. Triangles without area are left out.
    pub triangles: Vec<[u32; 3]>,
    /// Visible edges, as pairs of vertices: where the surface is folded or ends.
    pub creases: Vec<[u32; 2]>,
    /// Whether each edge has a triangle on both sides, so that the inside is never visible.
    pub closed: bool,
    /// The middle of a ball, m. It has two circles as its edges, in its planes x and z through the middle.
    pub ball: Option<Vec3>,
}

/// Triangles that meet at a larger angle have a visible edge between them; otherwise they form one curved
/// surface. Circles with 16 corners or more are not folded so much.
const CREASE_DEGREES: f64 = 30.0;
/// Vertices nearer to each other than this fraction of the mesh's size are one. The poles of capsules are, up
/// to rounding.
const WELD: f64 = 1e-9;

impl SmoothMesh {
    /// Computes the normals and visible edges of a mesh.
    pub fn of(mesh: &Mesh) -> SmoothMesh {
        let corner_of = welded(&mesh.points);
        let corner = |triangle: &[u32; 3]| triangle.map(|corner| corner_of[corner as usize]);
        let normal = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| mesh.points[corner as usize]);
            (b - a).cross(c - a)
        };
        let kept = |triangle: &&[u32; 3]| {
            let [a, b, c] = corner(triangle);
            a != b && b != c && c != a && normal(triangle).try_normalize().is_some()
        };
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().filter(kept).copied().collect();
        // Their length is twice the area, so that large triangles have more weight.
        let normals: Vec<Vec3> = triangles.iter().map(normal).collect();
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); mesh.points.len()];
        for (number, triangle) in triangles.iter().enumerate() {
            corner(triangle).into_iter().for_each(|corner| around[corner as usize].push(number as u32));
        }
        let mut smooth = SmoothMesh::default();
        let mut known: HashMap<(u32, [u64; 3]), u32> = HashMap::new();
        for (triangle, own) in triangles.iter().zip(&normals) {
            let made = corner(triangle).map(|corner| {
                let normal = mean(own, around[corner as usize].iter().map(|&other| normals[other as usize]));
                // Compare normals by their bits. Equal surfaces have equal bits, since they are summed in one
                // order.
                let key = (corner, normal.to_array().map(f64::to_bits));
                *known.entry(key).or_insert_with(|| {
                    smooth.points.push(mesh.points[corner as usize]);
                    smooth.normals.push(normal);
                    (smooth.points.len() - 1) as u32
                })
            });
            smooth.triangles.push(made);
        }
        (smooth.creases, smooth.closed) = creases(&triangles, &normals, corner, &smooth.triangles);
        smooth.mark_ball();
        smooth
    }

    /// Draws two circles on a ball: without a mark, nobody sees it roll.
    fn mark_ball(&mut self) {
        let count = self.points.len();
        if !self.creases.is_empty() || !self.closed || count < LEAST_OF_A_BALL {
            return;
        }
        let middle = self.points.iter().sum::<Vec3>() / count as f64;
        let distances = self.points.iter().map(|point| (*point - middle).length());
        let (least, most) =
            distances.fold((f64::INFINITY, 0.0), |(least, most), d| (d.min(least), d.max(most)));
        if most - least > ROUND * most {
            return;
        }
        self.ball = Some(middle);
        for (across, along) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z)] {
            let first = self.points.len() as u32;
            for i in 0..MARK_SEGMENTS {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(MARK_SEGMENTS)).sin_cos();
                let normal = cos * across + sin * along;
                self.points.push(middle + MARK_ABOVE * most * normal);
                self.normals.push(normal);
                self.creases.push([first + i, first + (i + 1) % MARK_SEGMENTS]);
            }
        }
    }
}

/// A mesh is a ball if its vertices are as far from its middle as each other, to this fraction.
const ROUND: f64 = 1e-3;
/// And if it has at least this many: a cube is none.
const LEAST_OF_A_BALL: usize = 100;
/// Corners of the circles on a ball.
const MARK_SEGMENTS: u32 = 64;
/// Their radius, in radii of the ball: the sides of the polygons must not dive into it.
const MARK_ABOVE: f64 = 1.004;

/// The mean of a triangle's own normal and those around a corner, each weighted by its length.
fn mean(own: &Vec3, around: impl Iterator<Item = Vec3>) -> Vec3 {
    let limit = CREASE_DEGREES.to_radians().cos();
    let is_smooth = |other: &Vec3| own.dot(*other) >= limit * own.length() * other.length();
    around.filter(is_smooth).sum::<Vec3>().try_normalize().unwrap_or_else(|| own.normalize_or_zero())
}

/// For each vertex, the first one in the same place.
fn welded(points: &[Vec3]) -> Vec<u32> {
    let (low, high) = points
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &point| (low.min(point), high.max(point)));
    let cell = (WELD * (high - low).max_element()).max(f64::MIN_POSITIVE);
    let mut first: HashMap<[i64; 3], u32> = HashMap::new();
    let place = |(number, point): (usize, &Vec3)| {
        // The offset keeps corners of symmetric parts away from cell boundaries.
        let key = ((*point - low) / cell + Vec3::splat(0.25)).round().to_array().map(|c| c as i64);
        *first.entry(key).or_insert(number as u32)
    };
    points.iter().enumerate().map(place).collect()
}

/// The visible edges, as vertices of `made`, and whether every edge has two sides.
fn creases(
    triangles: &[[u32; 3]],
    normals: &[Vec3],
    corner: impl Fn(&[u32; 3]) -> [u32; 3],
    made: &[[u32; 3]],
) -> (Vec<[u32; 2]>, bool) {
    let limit = CREASE_DEGREES.to_radians().cos();
    let mut sides: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (number, triangle) in triangles.iter().enumerate() {
        let corners = corner(triangle);
        for i in 0..3 {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let side = sides.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                order.push(([a.min(b), a.max(b)], [made[number][i], made[number][(i + 1) % 3]]));
                Vec::new()
            });
            side.push(number);
        }
    }
    let is_crease = |beside: &[usize]| match beside {
        [a, b] => normals[*a].dot(normals[*b]) < limit * normals[*a].length() * normals[*b].length(),
        _ => true,
    };
    let creases = order.iter().filter(|(edge, _)| is_crease(&sides[edge])).map(|(_, ends)| *ends);
    (creases.collect(), sides.values().all(|beside| beside.len() == 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_proximity::Shape;

    #[test]
    fn a_box_has_six_flat_sides_and_twelve_edges() {
        let mesh = Mesh::of(&Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap(), 1.0);
        let smooth = SmoothMesh::of(&mesh);
        assert_eq!((smooth.points.len(), smooth.creases.len(), smooth.closed), (24, 12, true));
        for (number, triangle) in smooth.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|corner| smooth.points[corner as usize]);
            let flat = (b - a).cross(c - a).normalize();
            assert!(
                triangle.iter().all(|&corner| (smooth.normals[corner as usize] - flat).length() < 1e-12),
                "{number}"
            );
        }
    }

    #[test]
    fn the_normals_of_round_shapes_are_nearly_the_true_ones() {
        let sphere = SmoothMesh::of(&Mesh::of(&Shape::sphere(2.0).unwrap(), 1.0));
        assert!(sphere.closed);
        assert_eq!(sphere.creases.len(), 2 * MARK_SEGMENTS as usize, "the marks, and nothing else");
        assert!(sphere.ball.unwrap().length() < 1e-12);
        for (point, normal) in sphere.points.iter().zip(&sphere.normals) {
            assert!((*normal - *point / 2.0).length() < 0.02, "{point}: {normal}");
        }
        let capsule = SmoothMesh::of(&Mesh::of(&Shape::capsule(0.5, 1.0).unwrap(), 1.0));
        assert!(
            capsule.creases.is_empty() && capsule.closed && capsule.ball.is_none(),
            "{} creases",
            capsule.creases.len()
        );
        let cylinder = SmoothMesh::of(&Mesh::of(&Shape::cylinder(0.5, 1.0).unwrap(), 1.0));
        assert_eq!(cylinder.creases.len(), 128, "two circles");
        for (point, normal) in cylinder.points.iter().zip(&cylinder.normals) {
            let out = Vec3::new(point.x, point.y, 0.0).normalize_or_zero();
            let error = if normal.z.abs() > 0.5 { 1.0 - normal.z.abs() } else { (*normal - out).length() };
            assert!(error < 0.05, "{point}: {normal}");
        }
    }

    #[test]
    fn a_surface_with_a_rim_is_open() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let smooth = SmoothMesh::of(&Mesh { points, triangles: vec![[0, 1, 2], [0, 0, 1]] });
        assert_eq!((smooth.triangles.len(), smooth.creases.len(), smooth.closed), (1, 3, false));
    }
}
