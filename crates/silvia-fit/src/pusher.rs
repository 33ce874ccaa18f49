//! A world in which a hand pushes one part among others that stay where they are.
//!
//! The world has no gravity and no friction. The hand has dampers and no springs: what it pushes moves at a
//! speed that is proportional to the force, and contacts guide it. Mass counts for little beside the dampers,
//! so that nothing carries on from one push to the next. Each step is certified by the world.

use crate::legs::Still;
use crate::metric::Metric;
use crate::options::FitOptions;
use crate::part::{FitError, Part};
use crate::push::{Push, distinct};
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Aabb, Pose, Vec3, symmetric_eigen};
use silvia_world::{
    BodyBuilder, BodyId, ContactRecord, Hand, Inertia, Material, Snapshot, StepError, World, WorldSettings,
};

/// Length of a step, s. Only its product with speeds matters.
const STEP: f64 = 1e-3;
/// A free part goes this fraction of its size in a step, or of that of the others if they are smaller.
/// Coarser steps are cut more often where they meet something; finer ones take longer.
const STRIDE: f64 = 1.0 / 32.0;
/// The largest turn in a step, rad: ways of vertices are straight, and sag by the square of it.
const TURN: f64 = 0.06;
/// Of a free part, the fraction of its speed that is left after a step without a hand.
const INERTIA: f64 = 0.01;
/// A part that moves by less than this fraction of a free one does not move.
const STALLED: f64 = 0.02;
/// A push ends after this many steps that do not take the part farther away: more than a turn.
const FRUITLESS: usize = 128;
/// A twist of a part that has touched nothing for so many steps ends, too: it would turn for ever.
const UNTOUCHED: usize = 24;
/// Farther by this fraction of a stride counts.
const FARTHER: f64 = 0.25;
/// A place on the way of a push is kept whenever the part has moved by this many strides.
const KEPT: f64 = 6.0;
/// Moments of inertia nearer to each other than this fraction have no axes of their own.
const SAME_MOMENT: f64 = 1e-2;
/// No speed of a push is an impact, m/s.
const NO_IMPACT: f64 = 1e12;

/// A world with one part that moves.
#[derive(Debug)]
pub(crate) struct Pusher {
    world: World,
    body: BodyId,
    /// The bodies of the others, with the numbers of their parts.
    others: Vec<(BodyId, usize)>,
    inertia: Inertia,
    pub(crate) metric: Metric,
    /// How far a free part goes in a step, m.
    pub(crate) stride: f64,
    /// How far it turns, rad.
    turn: f64,
    damping: Twist,
    /// The box of all others, m.
    pub(crate) cage: Aabb,
    /// Axes of inertia that are the part's own, in its frame.
    axes: Vec<Vec3>,
    /// Where the part is at the goal, opened to the gap that the world keeps.
    pub(crate) start: Pose,
}

/// What came of a push.
#[derive(Debug)]
pub(crate) struct Slide {
    /// Poses after the first, each reached by a certified leg.
    pub(crate) path: Vec<Pose>,
    /// Whether the part is clear of all others at the end.
    pub(crate) is_out: bool,
    /// The world at the end.
    pub(crate) end: Snapshot,
    /// And on the way, with the number of poses until there.
    pub(crate) between: Vec<(usize, Snapshot)>,
    /// Contacts of the last step.
    pub(crate) contacts: Vec<ContactRecord>,
}

impl Pusher {
    /// A part at its goal among others at theirs, each with its number.
    pub(crate) fn new(moving: &Part, others: &[(usize, &Part)]) -> Result<Pusher, FitError> {
        let settings = WorldSettings::default()
            .with_gravity(Vec3::ZERO)
            .with_impact_speed(NO_IMPACT)
            .with_second_order(false);
        let mut world = World::new(settings)?;
        let smooth = world.add_material(Material::new("smooth", 0.0, 0.0))?;
        let mut fixed = Vec::new();
        for (number, part) in others {
            let body = BodyBuilder::fixed(part.shape.clone()).named(&part.name).at(part.goal);
            fixed.push((world.add(body.material(smooth))?, *number));
        }
        let body = BodyBuilder::free(moving.shape.clone()).named(&moving.name).at(moving.goal);
        let body = world.add(body.material(smooth))?;
        world.prepare()?;
        let inertia = *world.inertia(body)?;
        let [x, y, z] = [0, 1, 2].map(|i| inertia.inertia.col(i)[i]);
        let gyration = (0.5 * (x + y + z) / inertia.mass).sqrt();
        let size = moving.shape.aabb(&Pose::IDENTITY).size().length();
        let cage = others.iter().fold(Aabb::EMPTY, |all, (_, part)| all.merged(part.shape.aabb(&part.goal)));
        let stride = STRIDE * size.min(cage.size().length());
        let damper = inertia.mass / (INERTIA * STEP);
        let damping =
            Twist { linear: Vec3::splat(damper), angular: Vec3::splat(damper * gyration * gyration) };
        Ok(Pusher {
            body,
            others: fixed,
            metric: Metric { centre: inertia.centre, gyration },
            stride,
            turn: (stride / gyration).min(TURN),
            damping,
            cage,
            axes: own_axes(&inertia),
            start: world.pose(body)?,
            inertia,
            world,
        })
    }

    /// The part, drawn in if it fits without clearance.
    pub(crate) fn shape(&self) -> Result<&Shape, FitError> {
        Ok(self.world.shape(self.body)?)
    }

    /// By how much it is drawn in, m.
    pub(crate) fn drawn_in(&self) -> Result<f64, FitError> {
        Ok(self.world.inset(self.body)?)
    }

    /// The others, where they stay.
    pub(crate) fn stills(&self) -> Result<Vec<Still<'_>>, FitError> {
        let still = |&(body, number): &(BodyId, usize)| {
            Ok(Still { number, shape: self.world.shape(body)?, pose: self.world.pose(body)? })
        };
        self.others.iter().map(still).collect()
    }

    /// The world at the goal.
    pub(crate) fn at_goal(&self) -> Snapshot {
        self.world.snapshot()
    }

    /// The number of the part that is a body, and whether it is the moving one's partner.
    pub(crate) fn number_of(&self, body: BodyId) -> Option<usize> {
        self.others.iter().find(|(id, _)| *id == body).map(|(_, number)| *number)
    }

    /// The body that moves.
    pub(crate) fn body(&self) -> BodyId {
        self.body
    }

    /// Axes of inertia of the part at a pose.
    pub(crate) fn axes_at(&self, pose: &Pose) -> impl Iterator<Item = Vec3> {
        let pose = *pose;
        self.axes.iter().map(move |axis| pose.transform_vector(*axis))
    }

    /// How far the part has to go at a pose until its box is clear of the box of all others, m; 0 or less if
    /// it is.
    pub(crate) fn left(&self, pose: &Pose) -> Result<f64, FitError> {
        Ok(left(&self.shape()?.aabb(pose), &self.cage))
    }

    /// Pushes from where a snapshot has the part, until it no longer moves, is out, or the search is over.
    pub(crate) fn slide(
        &mut self,
        from: &Snapshot,
        push: &Push,
        options: &FitOptions,
    ) -> Result<Slide, FitError> {
        self.world.restore(from)?;
        self.world.set_velocity(self.body, Twist::default())?;
        let start = self.world.pose(self.body)?;
        let hand = self.world.take(self.body, self.hand(&start, push))?;
        let free = self.metric.gyration * self.turn * push.about.length();
        let free = free.hypot(self.stride * push.along.length());
        let mut slide = Slide {
            path: Vec::new(),
            is_out: false,
            end: from.clone(),
            between: Vec::new(),
            contacts: Vec::new(),
        };
        let (mut farthest, mut fruitless, mut before, mut kept) = (0.0, 0, start, start);
        let mut untouched = 0;
        while fruitless < FRUITLESS && (untouched < UNTOUCHED || push.along != Vec3::ZERO) {
            let report = match self.world.step(STEP) {
                Ok(report) => report,
                // No certified motion exists: here it stays.
                Err(StepError::Stuck { .. } | StepError::OutOfRange { .. }) => break,
                Err(error) => return Err(error.into()),
            };
            for (_, state) in report.way.iter().flatten().filter(|(id, _)| *id == self.body) {
                slide.path.push(self.world.pose_in(self.body, state)?);
            }
            let pose = self.world.pose(self.body)?;
            if slide.path.last() != Some(&pose) {
                slide.path.push(pose);
            }
            untouched = if report.contacts.is_empty() { untouched + 1 } else { 0 };
            slide.contacts = report.contacts;
            if self.left(&pose)? <= 0.0 {
                slide.is_out = true;
                break;
            }
            if self.metric.distance(&before, &pose) < STALLED * free || options.is_over() {
                break;
            }
            fruitless += 1;
            let [from, to] = [&start, &pose].map(|pose| pose.transform_point(self.metric.centre));
            if from.distance(to) > farthest + FARTHER * self.stride {
                (farthest, fruitless) = (from.distance(to), 0);
            }
            if self.metric.distance(&kept, &pose) > KEPT * self.stride {
                kept = pose;
                slide.between.push((slide.path.len(), self.world.snapshot()));
            }
            before = pose;
        }
        self.world.release(hand)?;
        slide.end = self.world.snapshot();
        Ok(slide)
    }

    /// A hand that pushes a part at a pose so that it would move by a stride, and turn, in a step.
    fn hand(&self, pose: &Pose, push: &Push) -> Hand {
        let back = pose.rotation().inverse();
        let speed = push.scaled(self.stride / STEP, self.turn / STEP);
        let force = Twist {
            linear: back * (speed.linear * self.damping.linear),
            angular: back * (speed.angular * self.damping.angular),
        };
        let grip = Pose::IDENTITY.moved(self.inertia.centre);
        Hand::new(0.0, 0.0).with_grip(grip).with_damping(self.damping).with_push(force)
    }

    /// Directions that contacts suggest at a snapshot: along the edges between any two planes of contact, and
    /// away from them.
    pub(crate) fn suggested(&mut self, at: &Snapshot) -> Result<Vec<Vec3>, FitError> {
        /// More normals than this, and more directions of either kind, are not looked at.
        const MOST: usize = 4;
        self.world.restore(at)?;
        let own = |contact: &&ContactRecord| contact.bodies.contains(&self.body);
        let normals = distinct(self.world.contacts().iter().filter(own).map(|contact| contact.normal));
        let normals = &normals[..normals.len().min(MOST)];
        let mut along: Vec<Vec3> = Vec::new();
        for (i, one) in normals.iter().enumerate() {
            along.extend(normals[..i].iter().map(|other| one.cross(*other)));
        }
        along.truncate(MOST);
        along.extend(normals);
        Ok(along)
    }

    /// The push, and twist, that leads from one pose to another.
    pub(crate) fn push_between(&self, from: &Pose, to: &Pose) -> Push {
        let centre = |pose: &Pose| pose.transform_point(self.metric.centre);
        let way = centre(to) - centre(from);
        let turn = (to.rotation() * from.rotation().inverse()).to_scaled_axis();
        let turn = self.metric.gyration * turn;
        let length = way.length().hypot(turn.length());
        if length > 0.0 {
            Push { along: way / length, about: turn / length }
        } else {
            Push { along: way, about: turn }
        }
    }

    /// Where the part is at a snapshot.
    pub(crate) fn pose_at(&mut self, at: &Snapshot) -> Result<Pose, FitError> {
        self.world.restore(at)?;
        Ok(self.world.pose(self.body)?)
    }
}

/// How far a box has to go in a direction until it is clear of another, m; infinite if that leads nowhere.
pub(crate) fn left_along(own: &Aabb, cage: &Aabb, way: Vec3) -> f64 {
    let along = |axis: usize| {
        let distance =
            if way[axis] > 0.0 { cage.max[axis] - own.min[axis] } else { own.max[axis] - cage.min[axis] };
        if way[axis] == 0.0 { f64::INFINITY } else { distance / way[axis].abs() }
    };
    (0..3).map(along).fold(f64::INFINITY, f64::min)
}

/// How far a box has to go until it is clear of another, m.
pub(crate) fn left(own: &Aabb, cage: &Aabb) -> f64 {
    (cage.max - own.min).min_element().min((own.max - cage.min).min_element())
}

/// The axes of moments of inertia that differ from the others.
fn own_axes(inertia: &Inertia) -> Vec<Vec3> {
    let (moments, axes) = symmetric_eigen(inertia.inertia);
    let moments = moments.to_array();
    let is_own = |i: usize| {
        let other = |j: usize| j == i || (moments[i] - moments[j]).abs() > SAME_MOMENT * moments[2];
        (0..3).all(other)
    };
    (0..3).filter(|&i| is_own(i)).map(|i| axes.col(i)).collect()
}
