//! Errors that say what to do.

/// An error that says what is wrong and, apart from that, what to do about it.
///
/// Its message has both: "what is wrong: what to do". A program that shows them in different places, or knows
/// a better remedy, asks for one of them and need not take the message apart.
///
/// ```
/// use silvia_solid::{Remedy, primitives};
///
/// let error = primitives::sphere(-1.0, 4).unwrap_err();
/// assert_eq!(error.what(), "radius is -1");
/// assert_eq!(error.remedy(), "it must be a positive, finite length in metres");
/// assert_eq!(error.to_string(), "radius is -1: it must be a positive, finite length in metres");
/// ```
pub trait Remedy: std::error::Error {
    /// What is wrong, and where.
    fn what(&self) -> String;

    /// What to do. Empty if what is wrong says it: "must be positive, not -1".
    fn remedy(&self) -> String;

    /// Both, as `Display` shows them.
    fn message(&self) -> String {
        let (what, remedy) = (self.what(), self.remedy());
        if remedy.is_empty() { what } else { format!("{what}: {remedy}") }
    }
}

#[cfg(test)]
mod tests {
    use super::Remedy;
    use crate::hull::HullError;
    use crate::primitives::PrimitiveError;
    use crate::triangulate::TriangulateError;
    use crate::{PoseError, Quat, Solid, SolidError, Soup, SoupError, TransformError, Vec3};

    const NAN: Vec3 = Vec3::new(f64::NAN, 0.0, 1.0);

    /// Written out, so that no message changes unnoticed.
    #[test]
    fn messages_are_what_is_wrong_and_then_what_to_do() {
        let crossing = TriangulateError::Crossing { first: 1, second: 4, near: Vec3::ONE };
        let crossed = "the side that starts at corner 1 crosses or touches the one that starts at corner 4, \
                       at (1, 1, 1)";
        let uncrossed = "the boundary of a polygon may not cross itself";
        let not_finite = SoupError::NotFinite { point: 3, at: NAN };
        let finite = "every coordinate must be finite";
        let spanned = "a hull needs four points that are not in one plane";
        let cases: Vec<(Box<dyn Remedy>, String, &str)> = vec![
            (Box::new(crossing.clone()), crossed.to_owned(), uncrossed),
            (
                Box::new(TriangulateError::TooFewCorners { boundary: 0, corners: 2 }),
                "boundary 0 (0 is the outer one) has 2 corners".to_owned(),
                "a polygon needs at least 3",
            ),
            (Box::new(not_finite.clone()), "point 3 is (NaN, 0, 1)".to_owned(), finite),
            (
                Box::new(SoupError::Polygon { polygon: 7, reason: crossing.clone() }),
                format!("polygon 7 cannot be cut into triangles: {crossed}"),
                uncrossed,
            ),
            (
                Box::new(PrimitiveError::Outline(crossing)),
                format!("the outline is not a polygon: {crossed}"),
                uncrossed,
            ),
            (
                Box::new(PrimitiveError::Soup(not_finite.clone())),
                "the sizes differ too much for double precision: point 3 is (NaN, 0, 1)".to_owned(),
                finite,
            ),
            (
                Box::new(PrimitiveError::TooFew { name: "segments", value: 2, least: 3 }),
                "segments is 2".to_owned(),
                "at least 3 are needed",
            ),
            (
                Box::new(PrimitiveError::Windings { around_axis: 2, around_ring: 4 }),
                "2 windings around the axis and 4 around the ring make no knot".to_owned(),
                "they must be coprime, and from 1 to 32",
            ),
            (
                Box::new(HullError::OneLine { line: [0, 2] }),
                "all points are on one line, which [0, 2] span".to_owned(),
                spanned,
            ),
            (Box::new(HullError::TooLarge(not_finite.clone())), "point 3 is (NaN, 0, 1)".to_owned(), finite),
            (
                Box::new(PoseError::NotUnit { rotation: Quat::from_xyzw(1.0, 2.0, 2.0, 0.0), length: 3.0 }),
                "the quaternion (w 0, x 1, y 2, z 2) has length 3, not 1".to_owned(),
                "normalise it, and check the order w, x, y, z",
            ),
            (
                Box::new(TransformError::Overflow(not_finite)),
                "the result is not a soup: point 3 is (NaN, 0, 1)".to_owned(),
                finite,
            ),
            (
                Box::new(SolidError::NoVolume { volume: 0.0, area: 2.0 }),
                "this is not a solid: its volume is 0 m³ at an area of 2 m²".to_owned(),
                "check that it is not a flat sheet",
            ),
            (
                Box::new(SolidError::Tolerance { given: 1.0 }),
                "the face tolerance must be at least 0 and below 0.1, not 1".to_owned(),
                "",
            ),
            (Box::new(SoupError::Empty), "there are no triangles".to_owned(), ""),
        ];
        for (error, what, remedy) in cases {
            assert_eq!((error.what(), error.remedy()), (what.clone(), remedy.to_owned()));
            let message = if remedy.is_empty() { what } else { [what.as_str(), remedy].join(": ") };
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn all_that_is_wrong_with_triangles_is_told_apart_from_the_remedy() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let open = Soup::new(points, vec![[0, 1, 2], [0, 1, 3], [0, 0, 1]]).unwrap();
        let error = Solid::from_soup(&open).unwrap_err();
        let SolidError::Unfit { report } = &error else { panic!("{error}") };
        assert!(report.defects.len() > 1);
        for defect in &report.defects {
            assert!(error.what().contains(&defect.to_string()), "{}", error.what());
            assert!(error.remedy().contains(defect.kind.remedy()), "{}", error.remedy());
        }
        assert_eq!(error.to_string(), [error.what(), error.remedy()].join(": "));
    }
}
