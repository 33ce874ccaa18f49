//! Poses on the command line and in files: `tx,ty,tz,qw,qx,qy,qz`, or `tx,ty,tz` for a pure translation.

use crate::failure::Failure;
use silvia::solid::files::Unit;
use silvia::solid::{Pose, PoseError, Quat, Vec3};
use std::path::Path;
use std::str::FromStr;

/// A pose as written: its translation is still in the file's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement(Pose);

/// The largest coordinate of a pose, in its unit: exact tests multiply four of them.
const FARTHEST: f64 = 1e60;

/// Why a text is not a pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum PlacementError {
    /// Neither three nor seven numbers.
    #[error("a pose is 7 numbers, tx,ty,tz,qw,qx,qy,qz, or 3, tx,ty,tz; here are {count}")]
    Count { count: usize },
    /// A word that is not a number.
    #[error("`{word}` is not a number")]
    NotANumber { word: String },
    /// A place so far away that products of coordinates overflow.
    #[error("a pose may have coordinates up to {FARTHEST:e}, not {given:e}: put the part nearer")]
    TooFar { given: f64 },
    /// Numbers that are not a rigid placement.
    #[error(transparent)]
    NotRigid(#[from] PoseError),
}

impl Placement {
    /// The identity.
    pub(crate) const IDENTITY: Placement = Placement(Pose::IDENTITY);

    /// Makes a placement from three or seven numbers.
    pub(crate) fn of(numbers: &[f64]) -> Result<Placement, PlacementError> {
        let pose = match *numbers {
            [x, y, z] => Pose::from_translation(Vec3::new(x, y, z))?,
            [x, y, z, qw, qx, qy, qz] => Pose::new(Vec3::new(x, y, z), Quat::from_xyzw(qx, qy, qz, qw))?,
            _ => return Err(PlacementError::Count { count: numbers.len() }),
        };
        Ok(Placement(pose))
    }

    /// Refuses what is too far away for exact tests.
    pub(crate) fn near_enough(self) -> Result<Placement, PlacementError> {
        let given = self.0.translation().abs().max_element();
        if given > FARTHEST { Err(PlacementError::TooFar { given }) } else { Ok(self) }
    }

    /// The pose in metres.
    pub(crate) fn in_metres(self, unit: Unit) -> Result<Pose, PoseError> {
        let [x, y, z] = self.0.translation().to_array().map(|c| unit.to_metres(c));
        Pose::new(Vec3::new(x, y, z), self.0.rotation())
    }
}

impl FromStr for Placement {
    type Err = PlacementError;

    fn from_str(text: &str) -> Result<Placement, PlacementError> {
        let number = |word: &str| {
            let word = word.trim();
            word.parse::<f64>().map_err(|_| PlacementError::NotANumber { word: word.into() })
        };
        Placement::of(&text.split(',').map(number).collect::<Result<Vec<f64>, PlacementError>>()?)
    }
}

/// Reads a file with one pose per line, in metres. Empty lines and lines that begin with `#` are skipped; a
/// first line without any number is a heading.
pub(crate) fn read(path: &Path, unit: Unit) -> Result<Vec<Pose>, Failure> {
    let bytes = std::fs::read(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::with_file(path, "there is no such file or folder: check the name")
        }
        _ => Failure::with_file(path, format!("cannot be read ({e})")),
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::with_file(path, "this is not text: give a CSV file of poses"))?;
    let mut poses = Vec::new();
    let mut is_first = true;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if std::mem::replace(&mut is_first, false) && is_heading(line) {
            continue;
        }
        let pose = line.parse::<Placement>().and_then(|p| Ok(p.near_enough()?.in_metres(unit)?));
        poses.push(pose.map_err(|e| Failure::with_file(path, format!("line {}: {e}", index + 1)))?);
    }
    if poses.is_empty() {
        return Err(Failure::with_file(path, "there is no pose in it: give rows tx,ty,tz,qw,qx,qy,qz"));
    }
    Ok(poses)
}

fn is_heading(line: &str) -> bool {
    line.split(',').all(|word| word.trim().parse::<f64>().is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_numbers_are_a_pose_with_the_real_part_first() {
        let half_turn: Placement = "1, 2,3,0,0,0,1".parse().unwrap();
        let pose = half_turn.in_metres(Unit::Metre).unwrap();
        assert!((pose.transform_point(Vec3::X) - Vec3::new(0.0, 2.0, 3.0)).length() < 1e-15);
    }

    #[test]
    fn the_unit_is_that_of_the_translation() {
        let placed: Placement = "25.4,0,-1".parse().unwrap();
        let pose = placed.in_metres(Unit::Millimetre).unwrap();
        assert_eq!(pose.translation(), Vec3::new(0.0254, 0.0, -0.001));
    }

    #[test]
    fn what_is_not_a_pose_says_why() {
        let why = |text: &str| text.parse::<Placement>().unwrap_err();
        assert_eq!(why("1,2"), PlacementError::Count { count: 2 });
        assert_eq!(why("1,2,x"), PlacementError::NotANumber { word: "x".into() });
        assert!(matches!(why("1,nan,0"), PlacementError::NotRigid(PoseError::NotFinite { .. })));
        let far: Placement = "1,0,-1e61".parse().unwrap();
        assert_eq!(far.near_enough(), Err(PlacementError::TooFar { given: 1e61 }));
        assert!(matches!(why("0,0,0,1,1,0,0"), PlacementError::NotRigid(PoseError::NotUnit { .. })));
    }

    #[test]
    fn a_row_of_nans_is_no_heading() {
        assert!(is_heading("tx,ty,tz,qw,qx,qy,qz") && !is_heading("nan,nan,nan"));
    }
}
