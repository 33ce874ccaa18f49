//! Takes bodies in hand: springs, and the ways of where they are wanted.

use super::{Added, Build};
use crate::scene::tree::Path;
use crate::scene::written::{Dimension, OneOrThree, Quantity, Spiral, WrittenHand};
use silvia_contact::Twist;
use silvia_solid::{Pose, Quat, Remedy, Vec3};
use silvia_world::{BodyFault, BodyId, Hand, Script, World, WorldError};
use std::f64::consts::TAU;

/// Poses a turn of a search pattern.
const POSES_A_TURN: f64 = 32.0;
/// The most turns of a search pattern.
const MOST_TURNS: f64 = 1e4;

/// A search pattern besides a way: what it adds to a pose at a time.
enum Search {
    /// Radius, m.
    Spiral(f64),
    /// Tilt, rad, about a point of the frame.
    Wiggle(f64, Vec3),
}

/// A pattern with its turns and its time, s.
struct Timed {
    search: Search,
    turns: f64,
    between: [f64; 2],
}

impl Build<'_> {
    /// Lets all hands of the scene take their bodies; the bodies, in the order of the hands.
    pub(super) fn take_in_hand(&mut self, world: &mut World, added: &Added) -> Vec<BodyId> {
        let mut taken = Vec::new();
        for (index, written) in self.scene.written().hand.iter().enumerate() {
            let path = Path::root().key("hand").index(index);
            let body = self.one_body(&path.key("body"), &written.body, added);
            let pose = body.and_then(|id| world.pose(id).ok()).unwrap_or_default();
            let hand = self.spring_hand(&path, written, pose);
            let (Some(id), Some(hand)) = (body, hand) else { continue };
            match world.take(id, hand) {
                Ok(_) => taken.push(id),
                Err(error) => self.hand_fault(&path, &error),
            }
        }
        taken
    }

    fn hand_fault(&mut self, path: &Path, error: &WorldError) {
        let WorldError::Body(body) = error else {
            return self.error(path, error.to_string(), "please report this");
        };
        if let BodyFault::NotFree = body.fault {
            let what = format!("\"{}\" is not free, and springs pull free bodies only", body.name);
            return self.error(&path.key("body"), what, "leave `role`, `script` and `hand` of the body out");
        }
        let what = body.fault.what();
        let fields = [
            ("stiffness", "stiffness"),
            ("damping", "damping"),
            ("largest force", "most_force"),
            ("largest torque", "most_torque"),
            ("push", "push"),
            ("pulls from", "between"),
            ("script", "poses"),
        ];
        let field = fields.iter().find(|(word, _)| what.contains(word)).map(|(_, field)| *field);
        let path = field.map_or(path.clone(), |field| path.key(field));
        self.error(&path, what, body.fault.remedy());
    }

    /// A hand of a body that begins at a pose.
    fn spring_hand(&mut self, path: &Path, written: &WrittenHand, pose: Pose) -> Option<Hand> {
        let linear = self.each(&path.key("stiffness"), &written.stiffness);
        let angular = self.each(&path.key("turning_stiffness"), &written.turning_stiffness);
        let at = self.vector_or(&path.key("grip"), &written.grip, Vec3::ZERO);
        let turned = match &written.grip_rotation {
            Some(rotation) => self.rotation(&path.key("grip_rotation"), rotation),
            None => Some(Quat::IDENTITY),
        };
        let push = self.vector_or(&path.key("push"), &written.push, Vec3::ZERO);
        let twist = self.vector_or(&path.key("twist"), &written.twist, Vec3::ZERO);
        let force = written.most_force.as_ref().map(|most| self.si(&path.key("most_force"), most));
        let torque = written.most_torque.as_ref().map(|most| self.si(&path.key("most_torque"), most));
        let between = written.between.as_ref().map(|between| self.times(&path.key("between"), between));
        let damping = self.damping(path, written);
        let target = self.target(path, written, pose);
        let grip = Pose::new(at?, turned?).ok()?;
        let mut hand = Hand::new(0.0, 0.0)
            .with_stiffness(Twist { linear: linear?, angular: angular? })
            .with_grip(grip)
            .with_push(Twist { linear: push?, angular: twist? })
            .with_weight(written.bears_weight.unwrap_or(true));
        if let Some(force) = force {
            hand = hand.with_most_force(force?);
        }
        if let Some(torque) = torque {
            hand = hand.with_most_torque(torque?);
        }
        if let Some(between) = between {
            let [from, to] = between?;
            hand = hand.between(from, to);
        }
        hand = match damping? {
            Ok(ratio) => hand.with_damping_ratio(ratio),
            Err(damping) => hand.with_damping(damping),
        };
        Some(match target? {
            Some(target) => hand.with_target(target),
            None => hand,
        })
    }

    /// A ratio, or dampers; none on error.
    fn damping(&mut self, path: &Path, written: &WrittenHand) -> Option<Result<f64, Twist>> {
        let WrittenHand { damping_ratio, damping, turning_damping, .. } = written;
        match (damping_ratio, damping, turning_damping) {
            (ratio, None, None) => Some(Ok(ratio.unwrap_or(1.0))),
            (None, Some(linear), Some(angular)) => {
                let linear = self.each(&path.key("damping"), linear);
                let angular = self.each(&path.key("turning_damping"), angular);
                Some(Err(Twist { linear: linear?, angular: angular? }))
            }
            (Some(_), _, _) => {
                let what = "dampers are given by a ratio and by numbers";
                self.error(&path.key("damping_ratio"), what, "give one of the two");
                None
            }
            (None, linear, _) => {
                let (has, lacks) = match linear {
                    Some(_) => ("damping", "turning_damping"),
                    None => ("turning_damping", "damping"),
                };
                let what = format!("`{has}` is given without `{lacks}`");
                self.error(&path.key(has), what, "give both, or a `damping_ratio`");
                None
            }
        }
    }

    /// Where it wants the body: a way, or none for where it begins; none on error.
    fn target(&mut self, path: &Path, written: &WrittenHand, pose: Pose) -> Option<Option<Script>> {
        let moves = written.velocity.is_some() || written.spin.is_some();
        let way = match (&written.poses, &written.path, moves) {
            (None, None, false) => Way::Poses(vec![(0.0, pose)]),
            (Some(poses), None, false) => {
                let poses = self.timed_poses(&path.key("poses"), poses)?;
                if poses.is_empty() {
                    self.error(&path.key("poses"), "there are no poses", "give at least one");
                    return None;
                }
                Way::Poses(poses)
            }
            (None, Some(file), false) => Way::Poses(self.path_of_file(&path.key("path"), file)?),
            (None, None, true) => {
                let linear = self.vector_or(&path.key("velocity"), &written.velocity, Vec3::ZERO);
                let angular = self.vector_or(&path.key("spin"), &written.spin, Vec3::ZERO);
                Way::Velocity(Twist { linear: linear?, angular: angular? })
            }
            _ => {
                let what = "a hand goes by `poses`, by a `path`, or at a `velocity` and `spin`";
                self.error(path, what, "give one of these");
                return None;
            }
        };
        let grip = self.vector_or(&path.key("grip"), &written.grip, Vec3::ZERO)?;
        let mut searches = Vec::new();
        if let Some(Spiral { radius, turns, between }) = &written.spiral {
            let path = path.key("spiral");
            let radius = self.si(&path.key("radius"), radius);
            let between = self.search_times(&path, *turns, between);
            searches.push(Timed { search: Search::Spiral(radius?), turns: *turns, between: between? });
        }
        if let Some(wiggle) = &written.wiggle {
            let path = path.key("wiggle");
            let angle = self.si(&path.key("angle"), &wiggle.angle);
            let between = self.search_times(&path, wiggle.turns, &wiggle.between);
            let search = Search::Wiggle(angle?, grip);
            searches.push(Timed { search, turns: wiggle.turns, between: between? });
        }
        if let (Way::Velocity(..), false) = (&way, searches.is_empty()) {
            let what =
                "a search goes with `poses`, a `path`, or where the body begins, not with a `velocity`";
            self.error(path, what, "give `poses` in place of `velocity` and `spin`");
            return None;
        }
        Some(match (way, searches.is_empty()) {
            (Way::Poses(poses), true) if poses.len() == 1 && poses[0].1 == pose => None,
            (Way::Poses(poses), true) => Some(Script::Poses(poses)),
            (Way::Velocity(velocity), true) => Some(Script::Velocity(velocity)),
            (Way::Velocity(_), false) => None,
            (Way::Poses(poses), false) => Some(Script::Poses(searching(&poses, &searches))),
        })
    }

    fn search_times(
        &mut self,
        path: &Path,
        turns: f64,
        between: &[crate::scene::written::Time; 2],
    ) -> Option<[f64; 2]> {
        if !(turns > 0.0 && turns <= MOST_TURNS) {
            let what = format!("a search has more than 0 and at most {MOST_TURNS} turns, not {turns}");
            self.error(&path.key("turns"), what, "give another number");
            return None;
        }
        let [from, to] = self.times(&path.key("between"), between)?;
        if from >= to {
            let what = format!("{to} s is not later than {from} s");
            self.error(&path.key("between"), what, "give rising times");
            return None;
        }
        Some([from, to])
    }

    fn times(&mut self, path: &Path, [from, to]: &[crate::scene::written::Time; 2]) -> Option<[f64; 2]> {
        let (from, to) = (self.si(&path.index(0), from), self.si(&path.index(1), to));
        Some([from?, to?])
    }

    /// A number for all axes, or one for each.
    fn each<D: Dimension>(&mut self, path: &Path, given: &OneOrThree<Quantity<D>>) -> Option<Vec3> {
        match given {
            OneOrThree::One(one) => self.si(path, one).map(Vec3::splat),
            OneOrThree::Three(three) => self.vector(path, three),
        }
    }

    /// The poses in a CSV file.
    fn path_of_file(&mut self, path: &Path, name: &str) -> Option<Vec<(f64, Pose)>> {
        // Without the file there is a fault already.
        let bytes = self.scene.source().files.get(name)?;
        let [length, time] = [self.units.length.si(), self.units.time.si()];
        match poses_of(&String::from_utf8_lossy(bytes), length, time) {
            Ok(poses) => Some(poses),
            Err((what, remedy)) => {
                self.error(path, format!("`{name}`: {what}"), remedy);
                None
            }
        }
    }
}

/// The poses in the lines of a text: time, x, y, z, and w, x, y, z of the quaternion, in given units. What is
/// wrong and the remedy.
fn poses_of(text: &str, length: f64, time: f64) -> Result<Vec<(f64, Pose)>, (String, String)> {
    let columns = "give lines of 4 or 8 numbers with commas: time, x, y, z, and the quaternion w, x, y, z";
    let mut poses: Vec<(f64, Pose)> = Vec::new();
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    for (at, (number, line)) in lines.filter(|(_, line)| !line.trim().is_empty()).enumerate() {
        let wrong = |what: String, remedy: &str| (format!("line {}: {what}", number + 1), remedy.to_owned());
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let values: Vec<Option<f64>> = cells.iter().map(|cell| cell.parse().ok()).collect();
        if at == 0 && cells.len() > 1 && values.iter().all(Option::is_none) {
            // The names of the columns.
            continue;
        }
        if let Some(at) = values.iter().position(|value| !value.is_some_and(f64::is_finite)) {
            return Err(wrong(format!("`{}` is not a finite number", cells[at]), columns));
        }
        let values: Vec<f64> = values.into_iter().flatten().collect();
        let rotation = match values[..] {
            [_, _, _, _] => Quat::IDENTITY,
            [_, _, _, _, w, x, y, z] => Quat::from_xyzw(x, y, z, w),
            _ => return Err(wrong(format!("there are {} numbers", values.len()), columns)),
        };
        let at = time * values[0];
        if poses.last().is_some_and(|(before, _)| at <= *before) {
            return Err(wrong(
                format!("{} is not later than the time before", values[0]),
                "give rising times",
            ));
        }
        let pose = Pose::new(length * Vec3::new(values[1], values[2], values[3]), rotation);
        poses.push((at, pose.map_err(|error| wrong(error.what(), &error.remedy()))?));
    }
    match poses.is_empty() {
        true => Err(("there are no poses in it".to_owned(), columns.to_owned())),
        false => Ok(poses),
    }
}

/// The way of what is wanted, without searches.
enum Way {
    Poses(Vec<(f64, Pose)>),
    /// Along the axes of the world.
    Velocity(Twist),
}

/// Where timed poses lead at a time.
fn pose_at(poses: &[(f64, Pose)], time: f64) -> Pose {
    let after = poses.partition_point(|(known, _)| *known <= time);
    match (after.checked_sub(1).map(|before| poses[before]), poses.get(after)) {
        (Some((start, from)), Some((end, to))) => {
            let part = (time - start) / (end - start);
            let at = from.translation().lerp(to.translation(), part);
            let turned = from.rotation().slerp(to.rotation(), part);
            Pose::new(at, turned.normalize()).unwrap_or(from)
        }
        (Some((_, last)), None) => last,
        (None, first) => first.map_or(Pose::IDENTITY, |(_, pose)| *pose),
    }
}

/// Timed poses with patterns besides.
fn searching(poses: &[(f64, Pose)], searches: &[Timed]) -> Vec<(f64, Pose)> {
    let mut times: Vec<f64> = poses.iter().map(|(time, _)| *time).collect();
    for Timed { turns, between: [from, to], .. } in searches {
        let count = (POSES_A_TURN * turns).ceil();
        times.extend((0..=count as usize).map(|k| from + (to - from) * (k as f64 / count)));
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let pose = |&time: &f64| {
        let all = searches.iter().fold(pose_at(poses, time), |pose, search| search.beside(pose, time));
        (time, all)
    };
    times.iter().map(pose).collect()
}

impl Timed {
    /// A pose with what the pattern adds to it at a time.
    fn beside(&self, pose: Pose, time: f64) -> Pose {
        let [from, to] = self.between;
        let part = (time - from) / (to - from);
        if !(0.0..=1.0).contains(&part) {
            return pose;
        }
        let angle = TAU * self.turns * part;
        let round = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let beside = match self.search {
            Search::Spiral(radius) => {
                let out = radius * (1.0 - (2.0 * part - 1.0).abs());
                Pose::new(pose.translation() + pose.rotation() * (out * round), pose.rotation())
            }
            Search::Wiggle(tilt, about) => {
                let grown = (4.0 * part).min(4.0 * (1.0 - part)).min(1.0);
                let turned = pose.rotation() * Quat::from_scaled_axis(tilt * grown * round);
                Pose::new(pose.transform_point(about) - turned * about, turned.normalize())
            }
        };
        beside.unwrap_or(pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_csv_file_is_read_in_the_units_of_the_scene() {
        let poses = poses_of("time,x,y,z\n0, 1, 2, 3\n\n2,4,5,6\r\n", 1e-3, 1.0).unwrap();
        assert_eq!(poses.len(), 2);
        assert_eq!(poses[1].0, 2.0);
        assert_eq!(poses[1].1.translation(), Vec3::new(4e-3, 5e-3, 6e-3));
        let marked = poses_of("\u{feff}\ntime,x,y,z\n0,1,2,3\n", 1.0, 1.0).unwrap();
        assert_eq!(marked, poses_of("0,1,2,3", 1.0, 1.0).unwrap());
        let turned = poses_of("0,0,0,0,0,0,0,1", 1.0, 1.0).unwrap()[0].1.rotation();
        assert_eq!(turned.z.abs(), 1.0);
    }

    #[test]
    fn what_is_wrong_with_a_csv_file_is_told_with_its_line() {
        for (text, word) in [
            ("", "no poses"),
            ("0,0,0,0\n0,1,1,1\n", "line 2: 0 is not later"),
            ("0,0,0\n", "line 1: there are 3 numbers"),
            ("0;0;0;0\n", "line 1: `0;0;0;0` is not"),
            ("0,0,0,0\n1,a,0,0\n", "line 2: `a` is not a finite number"),
            ("0,0,0,nan\n", "line 1: `nan`"),
            ("0,0,0,0,0,0,0,0\n", "line 1: "),
        ] {
            let (what, remedy) = poses_of(text, 1.0, 1.0).unwrap_err();
            assert!(what.contains(word), "{what}");
            assert!(!remedy.is_empty() || text.len() > 12, "{what}");
        }
    }

    #[test]
    fn a_spiral_goes_out_and_back_across_the_axis_and_a_wiggle_keeps_the_grip() {
        let way = [(0.0, Pose::IDENTITY)];
        let grip = Vec3::new(0.0, 0.0, -0.02);
        let spiral = Timed { search: Search::Spiral(0.003), turns: 4.0, between: [1.0, 3.0] };
        let poses = searching(&way, &[spiral]);
        let reach = |(_, pose): &(f64, Pose)| pose.translation().length();
        let farthest = poses.iter().max_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap();
        assert!((reach(farthest) - 0.003).abs() < 1e-12 && (farthest.0 - 2.0).abs() < 1e-12);
        assert!(poses.iter().all(|(_, pose)| pose.translation().z == 0.0));
        assert!(reach(poses.last().unwrap()) < 1e-15);
        let wiggle = Timed { search: Search::Wiggle(0.05, grip), turns: 3.0, between: [1.0, 3.0] };
        let poses = searching(&way, &[wiggle]);
        assert!(poses.iter().all(|(_, pose)| pose.transform_point(grip).distance(grip) < 1e-15));
        let tilt = |pose: &Pose| (pose.rotation() * Vec3::Z).angle_between(Vec3::Z);
        let most = poses.iter().map(|(_, pose)| tilt(pose)).fold(0.0, f64::max);
        assert!((most - 0.05).abs() < 1e-9);
    }
}
