use super::*;
use crate::self_intersection::self_intersections;
use crate::testing::{assert_closed, euler, volume};

fn are_apart(a: &Soup, b: &Soup, by: Vec3) -> bool {
    let first = a.points().len() as u32;
    let points = a.points().iter().copied().chain(b.points().iter().map(|&p| p + by)).collect();
    let shifted = b.triangles().iter().map(|t| t.map(|corner| corner + first));
    let both = Soup::new(points, a.triangles().iter().copied().chain(shifted).collect()).unwrap();
    self_intersections(&both).is_empty()
}

#[test]
fn a_hook_and_its_slot_have_their_closed_forms() {
    let fit = SnapHook::default();
    let (hook, slot) = (fit.hook().unwrap(), fit.slot().unwrap());
    assert_closed(&hook);
    assert_closed(&slot);
    assert_eq!((euler(&hook), euler(&slot)), (2, 0));
    // mm: beam 2 x (12 + 0.1 + 0.1) and base 12.2 x 3; the hook is a triangle of 1 x 1 / tan 30, and the
    // beam goes on beside it.
    let ramp = 3_f64.sqrt();
    let expected = 8.0 * (2.0 * (12.2 + ramp) + 12.2 * 3.0 + 0.5 * ramp);
    assert!((1e9 * volume(&hook) / expected - 1.0).abs() < 1e-12);
    let expected = 12.0 * (12.2 * 18.2 - 2.2 * 8.2);
    assert!((1e9 * volume(&slot) / expected - 1.0).abs() < 1e-12);
    let bounds = hook.bounds();
    assert!((bounds.min.z + 12.1e-3 + 1e-3 * ramp).abs() < 1e-15 && (bounds.max.z - 3.1e-3).abs() < 1e-15);
    assert!((bounds.size().y - 8e-3).abs() < 1e-15);
    assert_eq!(slot.bounds().max.z, 0.0);
}

/// Blocked after the clearance in all directions; of a wider slot it comes out when it is moved aside.
#[test]
fn a_hook_in_its_slot_has_the_clearance_on_all_sides_and_does_not_come_out() {
    for hold in [90_f64, 50.0] {
        let fit = SnapHook { hold: hold.to_radians(), ..SnapHook::default() };
        let (hook, slot) = (fit.hook().unwrap(), fit.slot().unwrap());
        let c = fit.clearance;
        assert!(are_apart(&slot, &hook, Vec3::ZERO));
        // A face that holds at an angle is farther away along the axis than across.
        let up = c / fit.hold.sin();
        for (direction, play) in
            [(Vec3::X, c), (-Vec3::X, c), (Vec3::Y, c), (-Vec3::Y, c), (-Vec3::Z, c), (Vec3::Z, up)]
        {
            assert!(are_apart(&slot, &hook, 0.99 * play * direction), "{direction}");
            assert!(!are_apart(&slot, &hook, 1.01 * play * direction), "{direction}");
        }
        let [out, bent] = [0.5 * fit.plate * Vec3::Z, -fit.overhang * Vec3::X];
        assert!(!are_apart(&slot, &hook, out));
        let wide = SnapHook { clearance: 0.55 * fit.overhang, overhang: 1.2 * fit.overhang, ..fit };
        let wide = wide.slot().unwrap();
        assert!(!are_apart(&wide, &hook, out));
        assert!(are_apart(&wide, &hook, out + 0.5 * bent));
    }
}

#[test]
fn a_hook_that_holds_nothing_is_refused() {
    let usual = SnapHook::default();
    for (wrong, message) in [
        (SnapHook { overhang: 0.15e-3, ..usual }, "overhang is 0.00015: it must be above 0.0002"),
        (SnapHook { entry: FRAC_PI_2, ..usual }, "the angle of entry is 90 degrees"),
        (SnapHook { hold: 1.6, ..usual }, "the angle of hold is 91.67"),
        (SnapHook { plate: 0.0, ..usual }, "plate is 0"),
    ] {
        let error = wrong.hook().map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(wrong.slot().is_err());
    }
}
