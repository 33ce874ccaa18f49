//! The checker at work beside the steps, for no more time than these take.

use crate::run::Found;
use bench_common::thread_time;
use silvia::check::Checker;
use silvia::prelude::*;
use silvia::world::StepReport;
use std::error::Error;

/// Time by which the judge may exceed the steps, s.
const AHEAD: f64 = 10.0;

pub(crate) struct Judge {
    checker: Checker,
    ids: Vec<BodyId>,
    /// As last shown.
    poses: Vec<Pose>,
    /// Counts the states shown.
    clock: f64,
    /// Spent so far, s.
    seconds: f64,
    looked: usize,
}

impl Judge {
    /// Looks at pairs that may collide and of which at least one body moves.
    pub(crate) fn new(world: &World) -> Result<Judge, Box<dyn Error>> {
        let ids: Vec<BodyId> = world.ids().collect();
        let mut shapes = Vec::new();
        for &id in &ids {
            shapes.push((world.name(id)?.to_owned(), world.shape(id)?.clone()));
        }
        let mut checker = Checker::new(shapes)?;
        for (i, &a) in ids.iter().enumerate() {
            checker.centre(i, world.inertia(a)?.centre)?;
            for (j, &b) in ids.iter().enumerate().skip(i + 1) {
                let can_move = world.role(a)?.is_movable() || world.role(b)?.is_movable();
                if !can_move || !world.admits(a, b)? {
                    checker.ignore(i, j)?;
                }
            }
        }
        let poses = poses(world, &ids)?;
        checker.start(0.0, &poses)?;
        Ok(Judge { checker, ids, poses, clock: 0.0, seconds: 0.0, looked: 0 })
    }

    /// Looks at a step, unless the judge has taken longer than the steps, which took so many seconds.
    pub(crate) fn look(
        &mut self,
        world: &World,
        report: &StepReport,
        steps_took: f64,
    ) -> Result<Found, Box<dyn Error>> {
        let begun = thread_time();
        let end = poses(world, &self.ids)?;
        if self.seconds > steps_took + AHEAD {
            self.clock += 1.0;
            self.poses = end;
            self.checker.start(self.clock, &self.poses)?;
        } else {
            // One island after the other goes its way, from where the last step ended.
            for update in &report.way {
                for (id, state) in update {
                    if let Ok(place) = self.ids.binary_search(id) {
                        self.poses[place] = world.pose_in(*id, state)?;
                    }
                }
                self.show()?;
            }
            self.poses = end;
            self.show()?;
            self.looked += 1;
        }
        self.seconds += thread_time() - begun;
        let verdict = self.checker.verdict();
        let (crossings, undecided) = (verdict.crossings.len(), verdict.undecided.len());
        Ok(Found { depth: verdict.depth(), crossings, undecided, steps: self.looked })
    }

    fn show(&mut self) -> Result<(), Box<dyn Error>> {
        self.clock += 1.0;
        Ok(self.checker.state(self.clock, &self.poses)?)
    }
}

fn poses(world: &World, ids: &[BodyId]) -> Result<Vec<Pose>, Box<dyn Error>> {
    Ok(ids.iter().map(|&id| world.pose(id)).collect::<Result<_, _>>()?)
}
