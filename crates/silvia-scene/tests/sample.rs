//! The sample that the other tests use is what it says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

#[test]
fn the_sample_has_frames_contacts_and_impacts() {
    let sample = common::sample();
    assert_eq!((sample.len(), sample.header().bodies.len()), (51, 4));
    assert_eq!(sample.number_at(0.0), Some(0));
    assert_eq!(sample.number_at(0.1), Some(10));
    let frames: Vec<_> = sample.frames().map(Result::unwrap).collect();
    assert!(frames.iter().any(|frame| !frame.impacts.is_empty()), "the ball bounces");
    assert!(frames.iter().any(|frame| frame.contacts.iter().any(|contact| contact.force.z.abs() > 1.0)));
    assert!(sample.frame(51).is_err());
}
