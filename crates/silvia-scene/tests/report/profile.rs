//! Where the time went, in the page.

use crate::browser::{browsed, chromium};
use crate::common::sample;
use crate::embedded::{doubles, embedded};
use serde_json::Value;
use silvia_scene::recording::{Frame, ProfileRow, Recording};
use silvia_scene::report::page;
use silvia_world::{Cost, Profile};

/// Rows of a profile for the frames of the sample: the k-th stage takes k ms a step, 1 ms is left, and the
/// frames of steps 100 to 150 are missing.
fn profiled() -> Recording {
    let recording = sample();
    let frames: Vec<Frame> = recording.frames().map(Result::unwrap).collect();
    let costs = std::array::from_fn(|k| Cost { seconds: 5e-3 * k as f64, count: 50 });
    let profile = Profile::new(5, 5e-3 * 22.0, costs);
    let row = |frame: &Frame| ProfileRow { step: frame.step, time: frame.time, profile };
    let rows = frames.iter().skip(1).filter(|frame| !(100..=150).contains(&frame.step)).map(row);
    let rows = rows.collect();
    recording.with_profile(rows)
}

#[test]
fn the_profile_in_the_page_is_that_of_the_recording_or_how_to_get_it() {
    let without = page(&sample()).unwrap();
    assert!(without.contains("<code>silvia run SCENE --profile</code>"));
    assert_eq!(embedded(&without)["profile"], Value::Null);
    assert!(!without.contains("<div id=\"profile-plot\""));

    let recording = profiled();
    let with = page(&recording).unwrap();
    assert!(!with.contains("--profile"), "there is one");
    let data = &embedded(&with)["profile"];
    let (times, layers) = (doubles(&data["times"]), data["layers"].as_array().unwrap());
    let gap = times.windows(2).position(|pair| pair[0] == pair[1]).unwrap();
    assert!((times[gap] - 0.19).abs() < 1e-9 && (times[gap + 2] - 0.31).abs() < 1e-9, "{times:?}");
    assert_eq!((layers.len(), times.len()), (8, 50 - 11 + 1));
    for (k, layer) in layers.iter().enumerate() {
        let expected = if k == 7 { 1.0 } else { k as f64 };
        for (i, value) in doubles(&layer["values"]).into_iter().enumerate() {
            assert!(if i == gap + 1 { value.is_nan() } else { (value - expected).abs() < 1e-9 }, "{k}, {i}");
        }
    }
    assert!(doubles(&data["clock"]).iter().filter(|ms| (**ms - 22.0).abs() < 1e-9).count() == 39);
    // 4 of 22 ms, 10 iterations a step.
    let row = with.split_once("</span>solve</td>").unwrap().1.split_once("</tr>").unwrap().0;
    let cells: Vec<&str> = row.split("</td>").map(|cell| cell.rsplit('>').next().unwrap()).collect();
    assert_eq!(cells[..4], ["18.2 %", "4.0000", "10.0", "iterations"]);
    assert!(with.contains("195 steps of 22.000 ms"));
}

/// A layer is drawn as high as it is thick: their tops are at equal multiples of a millisecond.
#[test]
fn a_browser_draws_the_layers_of_the_profile_upon_each_other() {
    let Some(chromium) = chromium() else { return };
    let (dom, errors) = browsed(&chromium, &page(&profiled()).unwrap(), "t=0.1", &[], None);
    assert!(!errors.contains("Uncaught"), "{errors}");
    let layers: Vec<&str> = dom.split("class=\"layer\"").skip(1).collect();
    assert_eq!(layers.len(), 8);
    // Of the first point, where the top of a layer begins.
    let top = |layer: &str| -> f64 {
        let path = layer.split_once(" d=\"M").unwrap().1;
        path.split(['L', 'Z']).next().unwrap().split_once(' ').unwrap().1.parse().unwrap()
    };
    let tops: Vec<f64> = layers.iter().map(|layer| top(layer)).collect();
    let millisecond = (tops[0] - tops[6]) / 21.0;
    assert!(millisecond > 1.0, "{tops:?}");
    for (k, thick) in [0.0, 1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 22.0].into_iter().enumerate() {
        assert!((tops[0] - tops[k] - thick * millisecond).abs() < 0.03, "{k}: {tops:?}");
    }
    // Two pieces, before and after the steps that were not profiled.
    let path = layers[3].split_once(" d=\"").unwrap().1.split_once('"').unwrap().0;
    assert_eq!((path.matches('M').count(), path.matches('Z').count()), (2, 2), "{path}");
    assert!(dom.contains("by the clock <output>22 ms</output>"));
}
