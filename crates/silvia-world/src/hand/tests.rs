use super::pull::gradient_of_turn;
use crate::kinematics::turn_of;
use silvia_solid::{Quat, Vec3};

#[test]
fn the_gradient_of_a_turn_is_that_of_small_turns_of_the_body() {
    for (turn, about) in [
        (Vec3::new(0.3, -0.2, 0.5), Vec3::X),
        (Vec3::new(-1.0, 2.0, 1.5), Vec3::new(0.3, -0.5, 0.8)),
        (Vec3::new(0.0, 3.1, 0.0), Vec3::Z),
        (Vec3::new(1e-5, 0.0, -2e-5), Vec3::Y),
        (Vec3::ZERO, Vec3::Y),
    ] {
        let small = 1e-6;
        let target = Quat::from_scaled_axis(turn);
        let left = |by: f64| turn_of(target * Quat::from_scaled_axis(-by * about));
        let slope = (left(small) - left(-small)) / (2.0 * small);
        let by_formula = -(gradient_of_turn(turn) * about);
        assert!(
            (slope - by_formula).length() < 1e-8 * (1.0 + slope.length()),
            "{turn}: {slope} {by_formula}"
        );
    }
}
