//! What the run of a scene is to reach.

use super::{Added, Build};
use crate::scene::goal::{Condition, Goal};
use crate::scene::tree::Path;
use crate::scene::written::WrittenGoal;
use silvia_solid::Vec3;

impl Build<'_> {
    /// The goals of the scene, in its order.
    pub(super) fn goals(&mut self, added: &Added) -> Vec<Goal> {
        let written = &self.scene.written().goal;
        let goal = |(index, written)| self.goal(&Path::root().key("goal").index(index), written, added);
        written.iter().enumerate().filter_map(goal).collect()
    }

    fn goal(&mut self, path: &Path, written: &WrittenGoal, added: &Added) -> Option<Goal> {
        let body = self.one_body(&path.key("body"), &written.body, added);
        let point = self.vector_or(&path.key("point"), &written.point, Vec3::ZERO);
        let from = self.vector_or(&path.key("from"), &written.from, Vec3::ZERO);
        let along = match &written.along {
            Some(along) => self.direction(&path.key("along"), along),
            None => Some(-Vec3::Z),
        };
        let by = match &written.by {
            Some(by) => self.si(&path.key("by"), by),
            None => Some(f64::INFINITY),
        };
        let mut conditions = Vec::new();
        match (&written.position, &written.within) {
            (Some(at), Some(within)) => {
                let at = self.vector(&path.key("position"), at);
                let within = self.least(&path.key("within"), within);
                conditions.push(Condition::Position { point: point?, at: at?, within: within? });
            }
            (None, None) => {}
            (given, _) => self.half(path, ["position", "within"], given.is_some()),
        }
        match (&written.rotation, &written.within_angle) {
            (Some(to), Some(within)) => {
                let to = self.rotation(&path.key("rotation"), to);
                let within = self.least(&path.key("within_angle"), within);
                conditions.push(Condition::Rotation { to: to?, within: within? });
            }
            (None, None) => {}
            (given, _) => self.half(path, ["rotation", "within_angle"], given.is_some()),
        }
        if let Some(depth) = &written.depth {
            let least = self.si(&path.key("depth"), depth);
            conditions.push(Condition::Depth { point: point?, from: from?, along: along?, least: least? });
        }
        if let Some(speed) = &written.slower_than {
            conditions.push(Condition::Speed(self.least(&path.key("slower_than"), speed)?));
        }
        if let Some(force) = &written.force {
            conditions.push(Condition::Force(self.least(&path.key("force"), force)?));
        }
        if let Some(torque) = &written.torque {
            conditions.push(Condition::Torque(self.least(&path.key("torque"), torque)?));
        }
        if conditions.is_empty() && !self.wrong.iter().any(|wrong| wrong.is_within(path)) {
            let fields = ["position", "rotation", "depth", "slower_than", "force", "torque"];
            let remedy = format!("give one or more of `{}`", fields.join("`, `"));
            self.lacking(path, &fields, "it does not say what is to be reached", remedy);
            return None;
        }
        Some(Goal { body: body?, name: written.body.clone(), conditions, by: by? })
    }

    /// Reports one of two fields that go together.
    fn half(&mut self, path: &Path, [what, within]: [&str; 2], has_what: bool) {
        let (has, lacks) = if has_what { (what, within) } else { (within, what) };
        self.error(
            &path.key(has),
            format!("`{has}` is given without `{lacks}`"),
            format!("give `{lacks}` too"),
        );
    }

    /// A quantity above 0.
    fn least<D: crate::scene::written::Dimension>(
        &mut self,
        path: &Path,
        given: &crate::scene::written::Quantity<D>,
    ) -> Option<f64> {
        let value = self.si(path, given)?;
        if value > 0.0 {
            return Some(value);
        }
        self.error(path, format!("this must be more than 0, not {given}"), "give a larger number");
        None
    }
}
