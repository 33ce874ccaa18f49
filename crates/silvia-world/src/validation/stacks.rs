//! Whether stacks of boxes stand: as high, as heavy and for as long as one likes.

use super::STEP;
use super::stage::{Stage, ValidationError, at};
use crate::body::{BodyId, BodyState};
use crate::builder::BodyBuilder;
use silvia_proximity::Shape;
use silvia_solid::Vec3;

/// What a box that stands may move, as a fraction of its size, and turn, rad.
pub const STILL: f64 = 1e-9;

/// Boxes on each other, from the lowest to the highest; of each list one a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Of each box from the lowest, kg.
    pub masses: Vec<f64>,
    /// Along x and y, m.
    pub widths: Vec<f64>,
    /// Of each box from the lowest, m.
    pub heights: Vec<f64>,
    /// Of their middles along x, m.
    pub offsets: Vec<f64>,
    /// Between all.
    pub friction: f64,
}

impl Stack {
    /// Equal boxes of 1 kg, flush: their edges and corners meet, so that contacts are as redundant as they
    /// can be.
    pub fn equal(boxes: usize) -> Stack {
        Stack {
            masses: vec![1.0; boxes],
            widths: vec![0.2; boxes],
            heights: vec![0.2; boxes],
            offsets: vec![0.0; boxes],
            friction: 0.5,
        }
    }

    /// Whether at each joint the weight above is over the support by some share of the width.
    pub fn is_balanced(&self, share: f64) -> bool {
        (0..self.masses.len()).all(|lowest| {
            let above = lowest..self.masses.len();
            let mass: f64 = self.masses[above.clone()].iter().sum();
            let moment: f64 = above.map(|i| self.masses[i] * self.offsets[i]).sum();
            let under = |i: usize| {
                let half = 0.5 * self.widths[i];
                [self.offsets[i] - half, self.offsets[i] + half]
            };
            let own = under(lowest);
            let [from, to] = match lowest.checked_sub(1).map(under) {
                Some(below) => [own[0].max(below[0]), own[1].min(below[1])],
                None => own,
            };
            let spare = share * self.widths[lowest];
            from + spare <= moment / mass && moment / mass <= to - spare
        })
    }
}

/// Lets a stack stand under `auto` for a time, s: the most that a box moved as a fraction of its size, turned
/// (rad) or sank, or what went wrong, a motion above [`STILL`] included.
pub fn stands(stack: &Stack, seconds: f64) -> Result<f64, String> {
    let (mut stage, boxes) = built(stack).map_err(|error| error.to_string())?;
    // The first step opens what touches exactly to the shell.
    stage.step().map_err(|error| error.to_string())?;
    let states = |stage: &Stage| -> Result<Vec<BodyState>, String> {
        let state = |&body: &BodyId| stage.world.body_state(body).map_err(|error| error.to_string());
        boxes.iter().map(state).collect()
    };
    let start = states(&stage)?;
    let mut worst = 0.0_f64;
    let mut done = 0.0;
    while done < seconds {
        stage.step().map_err(|error| format!("after {done:.3} s: {error}"))?;
        done += STEP;
        for (level, (now, then)) in states(&stage)?.iter().zip(&start).enumerate() {
            let size = stack.widths[level].min(stack.heights[level]);
            let moved = now.centre.distance(then.centre) / size;
            let turned = (now.rotation * then.rotation.conjugate()).xyz().length() * 2.0;
            worst = worst.max(moved).max(turned);
            if !(moved <= STILL && turned <= STILL) {
                return Err(format!(
                    "after {done:.3} s box {level} has moved by {moved:.1e} of its size and turned by \
                     {turned:.1e} rad"
                ));
            }
        }
    }
    Ok(worst)
}

fn built(stack: &Stack) -> Result<(Stage, Vec<BodyId>), ValidationError> {
    let mut stage = Stage::new("auto", stack.friction, 0.0)?;
    stage.ground()?;
    let mut top = 0.0;
    let mut boxes = Vec::new();
    for (((&mass, &width), &height), &offset) in
        stack.masses.iter().zip(&stack.widths).zip(&stack.heights).zip(&stack.offsets)
    {
        let shape = Shape::cuboid(Vec3::new(width, width, height))?;
        let body = BodyBuilder::free(shape).mass(mass).at(at(offset, 0.0, top + 0.5 * height)?);
        boxes.push(stage.add(body)?);
        top += height;
    }
    Ok((stage, boxes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_balanced_while_its_weight_is_over_the_support() {
        let mut stack = Stack::equal(3);
        assert!(stack.is_balanced(0.1));
        stack.offsets = vec![0.0, 0.0, 0.09];
        assert!(stack.is_balanced(0.0) && !stack.is_balanced(0.1));
        // The two upper ones together hang over.
        stack.offsets = vec![0.0, 0.09, 0.18];
        assert!(!stack.is_balanced(0.0));
    }
}
