//! Recordings in files: what is written is read to the bit, and what is damaged is said to be.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::sample;
use proptest::prelude::*;
use silvia_contact::Twist;
use silvia_scene::recording::{
    AccountRow, Ending, Frame, FrameContact, FrameImpact, GoalSummary, Header, KeptState, RecordedBody,
    Recording, RecordingError, RecordingWriter, StepCost, Summary, Tally, Watch, Why,
};
use silvia_scene::scene::{GoalProgress, SceneSource};
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::{Energy, RunAccount, World, WorldSettings};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn ending() -> Ending {
    let summary = Summary {
        steps: 3,
        sim_seconds: 0.1 + 0.2,
        wall_seconds: 1.0 / 3.0,
        max_penetration: Some(5e-324),
        contacts_max: 4,
        cut_steps: 0,
        shortfall_steps: 0,
        numerical_loss: 0.0,
        stuck_steps: 1,
        energy_error: Some(-1e-17),
        energy: None,
        momentum_error: Some(0.0),
        momentum: None,
        motion_error: None,
        advised_step: None,
        accuracy: None,
        success: Some(false),
        goals: vec![GoalSummary { body: "peg".to_owned(), reached_at: None, about: "1 m deep".to_owned() }],
        hash: "0123456789abcdef".to_owned(),
        profile: None,
    };
    Ending { why: Why::Refused("stuck".to_owned()), summary }
}

fn state(step: u64) -> KeptState {
    let world = World::new(WorldSettings::default()).unwrap();
    let impact = FrameImpact {
        time: 0.5,
        bodies: [0, 1],
        point: Vec3::X,
        normal: Vec3::Y,
        speed: 2.0,
        impulse: Vec3::Z,
    };
    let cost = StepCost { smallest_gap: f64::INFINITY, cuts: 3, ..StepCost::default() };
    let tally = Tally {
        contacts_max: 9,
        impacts: vec![impact],
        cost,
        account: Some(RunAccount::default()),
        goals: vec![
            GoalProgress { reached_at: Some(0.25), best: vec![0.5, f64::INFINITY] },
            GoalProgress { reached_at: None, best: Vec::new() },
        ],
        ..Tally::default()
    };
    KeptState { step, time: step as f64 * 0.1, hash: 7, tally, snapshot: world.snapshot() }
}

/// Blocks of three frames, with a state after each.
fn written(path: &Path, header: &Header, frames: &[Frame]) {
    let mut writer = RecordingWriter::create(path, header, false).unwrap();
    for block in frames.chunks(3) {
        block.iter().for_each(|frame| writer.frame(frame.clone()).unwrap());
        writer.keep(&state(block[0].step)).unwrap();
        writer.flush().unwrap();
    }
    writer.finish(&ending()).unwrap();
}

/// Tells zeros of either sign apart, and prints the shortest digits that give the same bits.
fn bits(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn all(recording: &Recording) -> Vec<Frame> {
    recording.frames().collect::<Result<_, _>>().unwrap()
}

/// One body with a mesh of one triangle, a scene with a file.
fn small_header() -> Header {
    let triangle = silvia_scene::drawing::Mesh {
        points: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]],
    };
    let body = |name: &str, mesh: &Arc<_>| RecordedBody {
        name: name.to_owned(),
        role: "free".to_owned(),
        mass: 0.1,
        centre: Vec3::splat(1.0 / 3.0),
        colour: [1, 2, 3],
        mesh: Arc::clone(mesh),
    };
    let mesh = Arc::new(triangle);
    Header {
        title: "Small \"quoted\" – ü".to_owned(),
        source: SceneSource {
            name: "small.toml".to_owned(),
            text: "a = 1\n".to_owned(),
            files: [("part.stl".to_owned(), vec![0, 255, 7])].into(),
        },
        step: 0.1,
        until: 1e300,
        steps_a_frame: u64::MAX,
        gravity: Vec3::new(0.0, -0.0, -9.81),
        bodies: vec![body("a", &mesh), body("b", &mesh)],
        ..Header::default()
    }
}

fn real() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>().prop_filter("finite", |x| x.is_finite()), Just(-0.0), -1.0..1.0_f64]
}

fn vector() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(real()).prop_map(Vec3::from_array)
}

fn bodies() -> impl Strategy<Value = [u32; 2]> {
    [0..2_u32, 0..2_u32]
}

prop_compose! {
    fn contact()(
        bodies in bodies(), point in vector(), normal in vector(), gap in real(), force in vector(),
    ) -> FrameContact {
        FrameContact { bodies, point, normal, gap, force }
    }
}

prop_compose! {
    fn impact()(
        time in real(), bodies in bodies(), point in vector(), normal in vector(), speed in real(),
        impulse in vector(),
    ) -> FrameImpact {
        FrameImpact { time, bodies, point, normal, speed, impulse }
    }
}

prop_compose! {
    fn cost()(
        wall_seconds in real(), whole in any::<[u32; 4]>(), residual in real(), gap in any::<bool>(),
    ) -> StepCost {
        let [islands, pieces, cuts, iterations] = whole;
        let smallest_gap = if gap { f64::INFINITY } else { 1e-9 };
        StepCost { wall_seconds, islands, pieces, cuts, iterations, residual, smallest_gap }
    }
}

prop_compose! {
    fn frame()(
        step in any::<u64>(), time in real(),
        bodies in prop::array::uniform2((vector(), prop::array::uniform3(-4.0..4.0_f64), vector(), vector())),
        energy in [real(), real()],
        contacts in prop::collection::vec(contact(), 0..4),
        impacts in prop::collection::vec(impact(), 0..3),
        cost in cost(),
    ) -> Frame {
        let pose = |(at, turn, _, _): &(Vec3, [f64; 3], Vec3, Vec3)| {
            Pose::new(*at, Quat::from_scaled_axis(Vec3::from_array(*turn))).unwrap()
        };
        let velocity = |(_, _, linear, angular): &(Vec3, [f64; 3], Vec3, Vec3)| Twist {
            linear: *linear,
            angular: *angular,
        };
        Frame {
            step,
            time,
            poses: bodies.iter().map(pose).collect(),
            velocities: bodies.iter().map(velocity).collect(),
            energy: Energy { kinetic: energy[0], potential: energy[1] },
            contacts,
            impacts,
            cost,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read_to_the_bit_in_any_order(
        frames in prop::collection::vec(frame(), 0..12),
        wanted in prop::collection::vec(any::<prop::sample::Index>(), 8),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.silvia");
        written(&path, &small_header(), &frames);
        // By its folder.
        let recording = Recording::open(folder.path()).unwrap();
        prop_assert_eq!(recording.header(), &small_header());
        prop_assert_eq!(bits(recording.header()), bits(&small_header()));
        prop_assert_eq!(recording.ending(), Some(&ending()));
        prop_assert_eq!(recording.lost(), 0);
        prop_assert_eq!(bits(&all(&recording)), bits(&frames));
        for wanted in wanted.iter().filter(|_| !frames.is_empty()) {
            let number = wanted.index(frames.len());
            prop_assert_eq!(bits(&recording.frame(number).unwrap()), bits(&frames[number]));
            prop_assert_eq!(recording.time(number).map(f64::to_bits), Some(frames[number].time.to_bits()));
        }
        prop_assert!(recording.frame(frames.len()).is_err());
        // Without its index, by reading it through.
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let scanned = Recording::open(&path).unwrap();
        prop_assert_eq!(bits(&all(&scanned)), bits(&frames));
        prop_assert_eq!(scanned.states(), recording.states());
        prop_assert_eq!(scanned.ending(), Some(&ending()));
        prop_assert!(scanned.lost() > 0);
    }
}

#[test]
fn a_real_run_is_read_to_the_bit_with_its_states() {
    let (folder, recorded) = (tempfile::tempdir().unwrap(), sample());
    let path = folder.path().join("r.silvia");
    written(&path, recorded.header(), &all(&recorded));
    let read = Recording::open(&path).unwrap();
    assert_eq!(bits(read.header()), bits(recorded.header()));
    assert_eq!(bits(&all(&read)), bits(&all(&recorded)));
    for time in [-1.0, 0.0, 0.1234, 0.25, 9.0] {
        assert_eq!(read.number_at(time), recorded.number_at(time));
    }
    assert_eq!(read.states().len(), 17);
    let kept = read.state(3).unwrap();
    assert_eq!((kept.step, kept.hash), (45, 7));
    assert_eq!(kept.tally, state(45).tally);
    assert_eq!(kept.snapshot.to_bytes(), state(45).snapshot.to_bytes());
    assert!(matches!(read.state(17), Err(RecordingError::NoSuchState { number: 17, count: 17 })));
}

/// Eight frames of the two bodies of [`small_header`]; one moves, and they meet.
fn small_frames() -> Vec<Frame> {
    let pose = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    let contact = |step: u64| FrameContact {
        bodies: [0, 1],
        point: Vec3::X,
        normal: Vec3::X,
        gap: 1e-9 * step as f64,
        force: Vec3::new(0.1, 0.2, 0.3),
    };
    let impact = FrameImpact {
        time: 0.25,
        bodies: [0, 1],
        point: Vec3::X,
        normal: Vec3::X,
        speed: 0.5,
        impulse: Vec3::X * 0.05,
    };
    (0..8)
        .map(|step| Frame {
            step,
            time: 0.1 * step as f64,
            poses: vec![pose(0.01 * step as f64), pose(1.0)],
            velocities: vec![Twist::default(); 2],
            contacts: (0..step / 3).map(|_| contact(step)).collect(),
            impacts: if step == 3 { vec![impact] } else { Vec::new() },
            ..Frame::default()
        })
        .collect()
}

/// A file of a few kilobytes, and its frames.
fn small() -> (Vec<u8>, Vec<Frame>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    written(&path, &small_header(), &small_frames());
    (fs::read(&path).unwrap(), small_frames())
}

/// Files of every format there ever was are read for ever. This one, by `silvia run`, is of a box that falls
/// from 1 m and turns.
#[test]
fn a_file_of_format_1_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recording-1.silvia");
    let recording = Recording::open(&path).unwrap();
    assert_eq!((recording.header().title.as_str(), recording.lost()), ("Falling box", 0));
    let ending = recording.ending().unwrap();
    assert_eq!((&ending.why, ending.summary.steps), (&Why::Finished, 50));
    // There were no accounts yet.
    assert_eq!((ending.summary.energy_error, ending.summary.energy), (None, None));
    assert!(recording.accounts().unwrap().is_empty());
    let kept = recording.states();
    let last = kept[kept.len() - 1];
    assert_eq!((last.step, format!("{:016x}", last.hash)), (50, ending.summary.hash.clone()));
    assert_eq!(recording.len(), 11);
    for (number, frame) in all(&recording).iter().enumerate() {
        let time = 0.01 * number as f64;
        assert!(frame.step == 5 * number as u64 && (frame.time - time).abs() < 1e-12);
        let (at, turned) = (frame.poses[0].translation(), frame.poses[0].rotation());
        assert!((at - Vec3::new(0.0, 0.0, 1.0 - 0.5 * 9.81 * time * time)).length() < 1e-12, "{at}");
        let expected = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2 * time);
        assert!((turned - expected).length() < 1e-9, "{turned}");
        assert!((frame.velocities[0].linear.z + 9.81 * time).abs() < 1e-12);
    }
}

#[test]
fn a_state_keeps_the_account_of_its_run_or_none_as_before_there_were_any() {
    let mut account = RunAccount::default();
    (account.taken, account.energy.friction, account.momentum.numerical.y) = (0.1 + 0.2, 1.0 / 3.0, -0.0);
    for account in [Some(account), None] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.silvia");
        let mut writer = RecordingWriter::create(&path, &small_header(), false).unwrap();
        let goals = account.map_or(Vec::new(), |_| state(3).tally.goals);
        let kept = KeptState { tally: Tally { account, goals, ..state(3).tally }, ..state(3) };
        let motion_error = account.map(|_| 0.1 + 0.2);
        let row = AccountRow { step: 3, time: 0.3, account: account.unwrap_or_default(), motion_error };
        writer.account(row).unwrap();
        writer.keep(&kept).unwrap();
        writer.finish(&ending()).unwrap();
        let recording = Recording::open(&path).unwrap();
        assert_eq!(bits(&recording.state(0).unwrap().tally), bits(&kept.tally));
        assert_eq!(bits(&recording.accounts().unwrap()), bits(&vec![row]));
    }
}

#[test]
fn a_file_cut_at_any_byte_has_all_whole_blocks_before() {
    let (bytes, frames) = small();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    let mut seen = 0;
    let mut counts = std::collections::BTreeSet::new();
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        match Recording::open(&path) {
            Ok(recording) => {
                let found = all(&recording);
                assert!(found.len() >= seen && found.len() <= frames.len(), "{length}");
                assert_eq!(bits(&found), bits(&frames[..found.len()].to_vec()), "{length}");
                // A block that is whole is never lost: they are short.
                assert!(recording.lost() < 1000, "{length}: {}", recording.lost());
                seen = found.len();
                counts.insert(seen);
            }
            Err(RecordingError::NoRecording { .. } | RecordingError::NoHeader { .. }) => assert_eq!(seen, 0),
            Err(other) => panic!("{length}: {other}"),
        }
    }
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [0, 3, 6, 8]);
}

#[test]
fn a_changed_byte_is_found_and_never_gives_a_wrong_frame() {
    let (bytes, frames) = small();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, &damaged).unwrap();
        let Ok(recording) = Recording::open(&path) else { continue };
        let found: Vec<Result<Frame, RecordingError>> = recording.frames().collect();
        for (frame, expected) in found.iter().zip(&frames) {
            match frame {
                Ok(frame) => assert_eq!(bits(frame), bits(expected), "byte {place}"),
                Err(RecordingError::Damaged { .. }) => {}
                Err(other) => panic!("byte {place}: {other}"),
            }
        }
        let states: Vec<_> = (0..recording.states().len()).map(|number| recording.state(number)).collect();
        let is_told =
            recording.lost() > 0 || found.iter().any(Result::is_err) || states.iter().any(Result::is_err);
        assert!(is_told, "byte {place} of {}", bytes.len());
    }
}

#[test]
fn a_newer_format_is_refused_with_what_is_needed_and_what_is_no_recording_too() {
    let (bytes, _) = small();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    let mut newer = bytes;
    newer[8] = 9;
    newer[16..60].fill(0);
    newer[16..28].copy_from_slice(b"silvia 7.0.0");
    let checksum = crc32fast::hash(&newer[..60]);
    newer[60..64].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, &newer).unwrap();
    let refused = Recording::open(&path).unwrap_err();
    assert!(matches!(refused, RecordingError::Newer { found: 9, known: 1, .. }), "{refused}");
    assert!(refused.to_string().ends_with("use silvia 7.0.0 or newer"), "{refused}");
    for other in [b"".as_slice(), b"PK\x03\x04", &[0; 500]] {
        fs::write(&path, other).unwrap();
        assert!(matches!(Recording::open(&path), Err(RecordingError::NoRecording { .. })));
    }
    assert!(matches!(Recording::open(&folder.path().join("none")), Err(RecordingError::Read { .. })));
    assert!(matches!(Recording::open(folder.path()), Err(RecordingError::Read { .. })));
}

#[test]
fn a_file_that_is_there_or_being_written_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    let writer = RecordingWriter::create(&path, &small_header(), false).unwrap();
    let refused = |force| RecordingWriter::create(&path, &small_header(), force).unwrap_err();
    assert!(matches!(refused(false), RecordingError::Exists { .. }));
    assert!(matches!(refused(true), RecordingError::Locked { .. }));
    assert!(matches!(RecordingWriter::resume(&path, None), Err(RecordingError::Locked { .. })));
    // Who only reads may do so meanwhile.
    assert!(Recording::open(&path).unwrap().is_empty());
    drop(writer);
    assert!(matches!(RecordingWriter::resume(&path, None), Err(RecordingError::NoState { .. })));
    RecordingWriter::create(&path, &small_header(), true).unwrap();
}

#[test]
fn frames_and_headers_that_cannot_be_written_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    let mut writer = RecordingWriter::create(&path, &small_header(), false).unwrap();
    let frame = Frame { step: 4, ..Frame::default() };
    assert!(matches!(writer.frame(frame), Err(RecordingError::WrongFrame { step: 4, bodies: 2 })));
    assert!(matches!(writer.plan(f64::NAN), Err(RecordingError::NotFinite { .. })));
    let endless = Header { until: f64::INFINITY, ..small_header() };
    let refused = RecordingWriter::create(&folder.path().join("other"), &endless, false);
    assert!(matches!(refused, Err(RecordingError::NotFinite { what: "until", .. })));
    assert!(!folder.path().join("other").exists());
    let watches = vec![Watch::Body(1), Watch::Pair([0, 2])];
    let refused =
        RecordingWriter::create(&folder.path().join("other"), &Header { watches, ..small_header() }, false);
    assert!(matches!(refused, Err(RecordingError::NoSuchWatched { body: 2, bodies: 2 })));
    assert!(!folder.path().join("other").exists());
}

#[test]
fn bodies_that_do_not_move_cost_nearly_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    let mut writer = RecordingWriter::create(&path, &small_header(), false).unwrap();
    let turned = Pose::new(Vec3::new(0.1, 0.2, 0.3), Quat::from_rotation_x(0.4)).unwrap();
    let before = writer.bytes();
    for step in 0..500 {
        let frame =
            Frame { step, poses: vec![turned; 2], velocities: vec![Twist::default(); 2], ..Frame::default() };
        writer.frame(frame).unwrap();
    }
    writer.flush().unwrap();
    let bytes = writer.bytes() - before;
    assert!(bytes < 500 * 2, "{bytes} bytes for 500 frames of two bodies");
}
