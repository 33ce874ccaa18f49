//! The first time at which two surfaces meet while one moves, all pairs tested.

use silvia::proximity::elementary::{MovingPair, first_touch};
use silvia::solid::{Aabb, Pose, Soup, Vec3};

/// When, from 0 to 1, the surfaces first touch: `b` goes from pose to pose, its points on straight lines; `a` rests.
pub(super) fn first_crossing(a: &Soup, b: &Soup, from: &Pose, to: &Pose) -> Result<Option<f64>, String> {
    let place = |pose: &Pose| b.points().iter().map(|&p| pose.transform_point(p)).collect::<Vec<Vec3>>();
    let (start, end) = (place(from), place(to));
    let swept = |t: &[u32; 3]| Aabb::of(t.iter().flat_map(|&i| [start[i as usize], end[i as usize]]));
    let boxes: Vec<Aabb> = b.triangles().iter().map(swept).collect();
    let whole = boxes.iter().copied().reduce(Aabb::merged).ok_or("no triangles")?;
    let mut first: Option<f64> = None;
    let mut consider = |pair: Result<MovingPair, _>| -> Result<(), String> {
        let pair = pair.map_err(|e: silvia::proximity::NotFinite| e.to_string())?;
        if let Some(touch) = first_touch(&pair) {
            first = Some(first.map_or(touch.upper, |t| t.min(touch.upper)));
        }
        Ok(())
    };
    for s in 0..a.triangles().len() {
        let rest = a.corners(s);
        let own = Aabb::of(rest);
        if !own.overlaps(&whole) {
            continue;
        }
        for (t, other) in b.triangles().iter().enumerate() {
            if !own.overlaps(&boxes[t]) {
                continue;
            }
            let [from, to] = [&start, &end].map(|points| other.map(|i| points[i as usize]));
            for k in 0..3 {
                consider(MovingPair::vertex_face([rest[k]; 2], [from, to]))?;
                consider(MovingPair::vertex_face([from[k], to[k]], [rest; 2]))?;
                let edge = [rest[k], rest[(k + 1) % 3]];
                for l in 0..3 {
                    let m = (l + 1) % 3;
                    consider(MovingPair::edge_edge([edge; 2], [[from[l], from[m]], [to[l], to[m]]]))?;
                }
            }
        }
    }
    Ok(first)
}
