//! Asking the world: what a ray meets, what overlaps a shape, what is near a body.
//!
//! Bodies that are switched off are not seen. Groups decide as between two bodies: a ray or a shape that asks
//! has groups too, and sees the bodies that it may touch.

use super::World;
use crate::body::{Body, BodyId};
use crate::error::WorldError;
use silvia_proximity::shape::{self, ShapeDistance, ShapeRayHit};
use silvia_proximity::{Groups, Ray, RayError, Shape};
use silvia_solid::{Aabb, Pose, Vec3};

/// Where a ray first meets a body of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyHit {
    /// The body.
    pub body: BodyId,
    /// Where, on which feature.
    pub hit: ShapeRayHit,
}

/// A body that is near, and how near.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearBody {
    /// The body.
    pub body: BodyId,
    /// From what was asked about to the body; 0 if they share a point.
    pub distance: ShapeDistance,
}

/// # What is where
impl World {
    /// The first body that a ray meets; of bodies met at the same place, the first.
    ///
    /// ```
    /// use silvia_proximity::{Groups, Ray, Shape};
    /// use silvia_solid::{Pose, Vec3};
    /// use silvia_world::{BodyBuilder, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// let place = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
    /// let near = world.add(BodyBuilder::free(Shape::sphere(0.5)?).at(place(2.0)?))?;
    /// let far = world.add(BodyBuilder::free(Shape::sphere(0.5)?).at(place(5.0)?))?;
    /// let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X, reach: 10.0 };
    /// let hit = world.cast_ray(&ray, Groups::ALL)?.ok_or("nothing met")?;
    /// assert_eq!(hit.body, near);
    /// assert!((hit.hit.point - Vec3::new(1.5, 0.0, 0.0)).length() < 1e-15);
    /// world.set_active(near, false)?;
    /// assert_eq!(world.cast_ray(&ray, Groups::ALL)?.map(|hit| hit.body), Some(far));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_ray(&self, ray: &Ray, groups: Groups) -> Result<Option<BodyHit>, RayError> {
        ray.check()?;
        let mut seen: Vec<(f64, u32)> = self
            .seen_by(groups)
            .filter_map(|(number, body)| {
                let bounds = body.shape.aabb(&self.poses[number as usize]);
                Some((entry(ray, &bounds)?, number))
            })
            .collect();
        seen.sort_by(|(x, one), (y, other)| x.total_cmp(y).then(one.cmp(other)));
        let mut best: Option<BodyHit> = None;
        for (from, number) in seen {
            if best.is_some_and(|best| from > best.hit.parameter) {
                break;
            }
            let id = self.id(number);
            if let Some(hit) = shape::cast_ray(&self.body(number).shape, &self.poses[id.index()], ray)?
                && best.is_none_or(|best| (hit.parameter, id) < (best.hit.parameter, best.body))
            {
                best = Some(BodyHit { body: id, hit });
            }
        }
        Ok(best)
    }

    /// The bodies that share a point with a shape, in the order of their ids.
    pub fn overlapping(&self, shape: &Shape, pose: &Pose, groups: Groups) -> Vec<BodyId> {
        let bounds = shape.aabb(pose);
        let meets = |(number, body): &(u32, &Body)| self.overlaps_at(body, *number, shape, pose, &bounds);
        self.seen_by(groups).filter(meets).map(|(number, _)| self.id(number)).collect()
    }

    /// The bodies that a body may touch and shares a point with, in the order of their ids.
    pub fn overlapping_body(&self, id: BodyId) -> Result<Vec<BodyId>, WorldError> {
        let (shape, pose) = (&self.get(id)?.shape, &self.poses[id.index()]);
        let bounds = shape.aabb(pose);
        let meets = |(number, body): &(u32, &Body)| {
            self.filter.admits(id.number, *number) && self.overlaps_at(body, *number, shape, pose, &bounds)
        };
        Ok(self.bodies_by_number().filter(meets).map(|(number, _)| self.id(number)).collect())
    }

    /// Whether two bodies share a point, whether they may touch or not.
    pub fn overlaps(&self, a: BodyId, b: BodyId) -> Result<bool, WorldError> {
        self.check_pair(a, b)?;
        let [of_a, of_b] = [a, b].map(|id| (&self.body(id.number).shape, &self.poses[id.index()]));
        Ok(shape::collide(of_a.0, of_a.1, of_b.0, of_b.1))
    }

    /// The bodies within a reach of a shape, m, the nearest first.
    pub fn near(
        &self,
        shape: &Shape,
        pose: &Pose,
        reach: f64,
        groups: Groups,
    ) -> Result<Vec<NearBody>, WorldError> {
        self.within(shape, pose, reach, self.seen_by(groups))
    }

    /// The bodies that a body may touch, within a reach of it, m, the nearest first.
    pub fn near_body(&self, id: BodyId, reach: f64) -> Result<Vec<NearBody>, WorldError> {
        let (shape, pose) = (&self.get(id)?.shape, &self.poses[id.index()]);
        let may_touch = |(number, _): &(u32, &Body)| self.filter.admits(id.number, *number);
        self.within(shape, pose, reach, self.bodies_by_number().filter(may_touch))
    }

    fn within<'a>(
        &'a self,
        shape: &Shape,
        pose: &Pose,
        reach: f64,
        bodies: impl Iterator<Item = (u32, &'a Body)>,
    ) -> Result<Vec<NearBody>, WorldError> {
        if reach.is_nan() || reach < 0.0 {
            return Err(WorldError::Reach { given: reach });
        }
        let bounds = shape.aabb(pose).widened(reach);
        let near = |(number, body): (u32, &Body)| {
            let there = &self.poses[number as usize];
            if !bounds.overlaps(&body.shape.aabb(there)) {
                return None;
            }
            let distance = shape::distance(shape, pose, &body.shape, there);
            (distance.upper <= reach).then(|| NearBody { body: self.id(number), distance })
        };
        let mut found: Vec<NearBody> = bodies.filter_map(near).collect();
        found.sort_by(|x, y| x.distance.upper.total_cmp(&y.distance.upper).then(x.body.cmp(&y.body)));
        Ok(found)
    }

    /// The bodies that are switched on and that something in these groups may touch.
    fn seen_by(&self, groups: Groups) -> impl Iterator<Item = (u32, &Body)> + '_ {
        self.bodies_by_number().filter(move |&(number, _)| {
            self.filter.object(number) && self.filter.groups(number).admits(groups)
        })
    }

    fn bodies_by_number(&self) -> impl Iterator<Item = (u32, &Body)> + '_ {
        self.numbered().map(|(number, body)| (number as u32, body))
    }

    fn overlaps_at(&self, body: &Body, number: u32, shape: &Shape, pose: &Pose, bounds: &Aabb) -> bool {
        let there = &self.poses[number as usize];
        bounds.overlaps(&body.shape.aabb(there)) && shape::collide(shape, pose, &body.shape, there)
    }
}

/// Where a ray enters a box, as a multiple of its direction; `None` if it misses it.
fn entry(ray: &Ray, bounds: &Aabb) -> Option<f64> {
    let (mut from, mut to) = (0.0_f64, ray.reach);
    // What rounding may take from a box that is only just met.
    let slack = 8.0 * f64::EPSILON * (bounds.magnitude() + ray.origin.abs().max_element());
    let slack = if slack.is_finite() { slack } else { 0.0 };
    let (low, high) = (bounds.min - Vec3::splat(slack), bounds.max + Vec3::splat(slack));
    for axis in 0..3 {
        let (at, along) = (ray.origin[axis], ray.direction[axis]);
        if along == 0.0 {
            if at < low[axis] || at > high[axis] {
                return None;
            }
            continue;
        }
        let (one, other) = ((low[axis] - at) / along, (high[axis] - at) / along);
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    // Rounding of the quotients, too.
    (from * (1.0 - 8.0 * f64::EPSILON) <= to * (1.0 + 8.0 * f64::EPSILON))
        .then_some(from * (1.0 - 8.0 * f64::EPSILON))
}
