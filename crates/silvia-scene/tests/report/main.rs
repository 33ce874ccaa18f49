//! The page of a recording holds what was recorded, and a real browser shows it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
#[path = "../common/mod.rs"]
mod common;
mod embedded;
mod profile;

use browser::{browsed, chromium};
use common::sample;
use embedded::{bytes, doubles, embedded, floats, integers, vector};
use silvia_scene::picture::Camera;
use silvia_scene::recording::{Frame, Header, Recording};
use silvia_scene::report::page;
use silvia_scene::scene::SceneSource;
use silvia_scene::stage::Stage;
use silvia_solid::{Quat, Vec3};
use std::path::Path;
use std::process::Command;

#[test]
fn the_motion_in_the_page_is_that_of_the_frames() {
    let recording = sample();
    let data = embedded(&page(&recording).unwrap());
    let middle = vector(&serde_json::from_value::<Vec<f64>>(data["middle"].clone()).unwrap());
    let frames: Vec<Frame> = recording.frames().map(Result::unwrap).collect();
    let times: Vec<f64> = frames.iter().map(|frame| frame.time).collect();
    assert_eq!(doubles(&data["motion"]["times"]), times);
    let (places, velocities) = (floats(&data["motion"]["places"]), floats(&data["motion"]["velocities"]));
    let turns: Vec<f64> = bytes(&data["motion"]["turns"])
        .chunks_exact(2)
        .map(|b| f64::from(i16::from_le_bytes(b.try_into().unwrap())) / 32_767.0)
        .collect();
    // The ground does not move, the other three do.
    let movers: Vec<Option<u64>> =
        data["bodies"].as_array().unwrap().iter().map(|body| body["mover"].as_u64()).collect();
    assert_eq!(movers, [None, Some(0), Some(1), Some(2)]);
    assert_eq!(places.len(), 3 * 3 * frames.len());
    for (number, frame) in frames.iter().enumerate() {
        for body in 1..4 {
            let at = 3 * number + body - 1;
            let place = vector(&places[3 * at..]) + middle;
            assert!((place - frame.poses[body].translation()).length() < 1e-7, "frame {number}, body {body}");
            let velocity = vector(&velocities[3 * at..]);
            assert!((velocity - frame.velocities[body].linear).length() < 1e-6 * (1.0 + velocity.length()));
            let turn = Quat::from_slice(&turns[4 * at..]).normalize();
            assert!(turn.dot(frame.poses[body].rotation()) > 1.0 - 1e-8, "frame {number}, body {body}");
        }
    }
}

#[test]
fn contacts_impacts_and_curves_in_the_page_are_those_of_the_frames() {
    let recording = sample();
    let data = embedded(&page(&recording).unwrap());
    let middle = vector(&serde_json::from_value::<Vec<f64>>(data["middle"].clone()).unwrap());
    let frames: Vec<Frame> = recording.frames().map(Result::unwrap).collect();
    let (starts, bodies) = (integers(&data["contacts"]["starts"]), integers(&data["contacts"]["bodies"]));
    let (points, forces) = (floats(&data["contacts"]["points"]), floats(&data["contacts"]["forces"]));
    assert!(points.len() > 100, "the sample has contacts");
    for (number, frame) in frames.iter().enumerate() {
        let range = starts[number] as usize..starts[number + 1] as usize;
        assert_eq!(range.len(), frame.contacts.len(), "frame {number}");
        for (at, contact) in range.zip(&frame.contacts) {
            assert_eq!(bodies[2 * at..2 * at + 2], contact.bodies);
            assert!((vector(&points[3 * at..]) + middle - contact.point).length() < 1e-7);
            assert!(
                (vector(&forces[3 * at..]) - contact.force).length() < 1e-6 * (1.0 + contact.force.length())
            );
        }
    }
    let impacts: Vec<f64> =
        frames.iter().flat_map(|frame| &frame.impacts).map(|impact| impact.time).collect();
    assert!(!impacts.is_empty(), "the ball bounces");
    assert_eq!(doubles(&data["impacts"]["times"]), impacts);
    let curve = |name: &str| {
        let curves = data["plots"]["curves"].as_array().unwrap();
        doubles(&curves.iter().find(|curve| curve["name"] == name).unwrap()["values"])
    };
    assert_eq!(curve("total"), frames.iter().map(|frame| frame.energy.total()).collect::<Vec<f64>>());
    assert_eq!(
        curve("contacts"),
        frames.iter().map(|frame| frame.contacts.len() as f64).collect::<Vec<f64>>()
    );
    let accounts = recording.accounts().unwrap();
    let lost: Vec<f64> = accounts.iter().map(|row| row.account.energy.friction).collect();
    assert!(lost[0] == 0.0 && lost[50] > 0.1 * accounts[50].account.most_kinetic, "the block slides");
    assert_eq!(curve("lost to friction"), lost);
    let steps: Vec<f64> = frames.iter().map(|frame| frame.cost.wall_seconds * 1e3 / 5.0).collect();
    let drawn = curve("wall time a step");
    assert!(drawn[0].is_nan() && drawn[1..].iter().zip(&steps[1..]).all(|(a, b)| (a - b).abs() < 1e-12));
}

#[test]
fn a_recording_without_accounts_says_so() {
    let old = sample().with_accounts(Vec::new());
    let written = page(&old).unwrap();
    assert!(written.contains("Where the energy went was not recorded."));
    let data = embedded(&written);
    let curves = data["plots"]["curves"].as_array().unwrap();
    let curve = curves.iter().find(|curve| curve["name"] == "lost to friction").unwrap();
    assert!(doubles(&curve["values"]).iter().all(|value| value.is_nan()));
    assert!(!page(&sample()).unwrap().contains("was not recorded."));
}

#[test]
fn meshes_in_the_page_are_those_of_the_bodies() {
    let recording = sample();
    let data = embedded(&page(&recording).unwrap());
    for (body, said) in recording.header().bodies.iter().zip(data["bodies"].as_array().unwrap()) {
        assert_eq!(said["name"], body.name);
        let Some(mesh) = said["mesh"].as_u64() else {
            assert_eq!(body.name, "ground", "it is a plane");
            continue;
        };
        let mesh = &data["meshes"][mesh as usize];
        let points: Vec<Vec3> = floats(&mesh["points"]).chunks_exact(3).map(vector).collect();
        let triangles = integers(&mesh["triangles"]);
        let volume = |corners: [Vec3; 3]| corners[0].dot(corners[1].cross(corners[2])) / 6.0;
        let embedded: f64 =
            triangles.chunks_exact(3).map(|t| volume([0, 1, 2].map(|i| points[t[i] as usize]))).sum();
        let own: f64 = body
            .mesh
            .triangles
            .iter()
            .map(|t| volume(t.map(|corner| body.mesh.points[corner as usize])))
            .sum();
        assert!((embedded - own).abs() < 1e-6 * own, "{}: {embedded} and {own}", body.name);
    }
}

/// A recording whose texts try to get out of where they are put.
fn hostile() -> Recording {
    let honest = sample();
    let mut header = honest.header().clone();
    header.title = "<script>document.title='owned'</script>".to_owned();
    header.about = "<img src=x onerror=\"document.title='owned'\">".to_owned();
    header.bodies[1].name = "<script>document.title='owned'</script>".to_owned();
    header.bodies[2].name = "\"><svg onload=document.title='owned'> {{script}} '".to_owned();
    header.bodies[2].role = "</td><b>free".to_owned();
    header.made_by = "</table><script>document.title='owned'</script>".to_owned();
    let text = "# </script><script>document.title='owned'</script> <!-- {{data}}\n".to_owned();
    header.source = SceneSource { name: "a<b>.toml".to_owned(), text, ..SceneSource::default() };
    Recording::in_memory(header, honest.frames().map(Result::unwrap).collect())
}

#[test]
fn texts_of_the_scene_stay_texts() {
    let page = page(&hostile()).unwrap();
    assert_eq!(page.matches("<script").count(), 2, "the data and the program");
    assert_eq!(page.matches("</script").count(), 2);
    for tag in ["<svg onload", "<img src=x", "<b>", "<!-- {{"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert!(page.contains("# &lt;/script&gt;&lt;script&gt;document.title=&#39;owned&#39;"));
    assert_eq!(embedded(&page)["bodies"][1]["name"], "<script>document.title='owned'</script>");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = page(&sample()).unwrap();
    for reference in ["src=\"http", "href=", "url(", "@import", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(reference), "{reference}");
    }
    // Names of vocabularies, which no browser goes to.
    let addresses = page.matches("http://").count() + page.matches("https://").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
}

#[test]
fn a_long_recording_makes_a_page_of_bounded_size_that_says_what_it_leaves_out() {
    let short = sample();
    let (header, first, last) = (short.header().clone(), short.frame(0).unwrap(), short.frame(50).unwrap());
    // As if 300 bodies had moved for 3000 frames.
    let many = 300;
    let bodies = (0..many).map(|i| {
        let mut body = header.bodies[1].clone();
        body.name = format!("ball {i}");
        body
    });
    let header = Header { bodies: bodies.collect(), ..header };
    let frame = |i: usize| {
        let source = if i == 0 { &first } else { &last };
        let poses =
            (0..many).map(|k| source.poses[1].moved(Vec3::new(k as f64, 0.0, 1e-3 * i as f64))).collect();
        Frame {
            time: 0.01 * i as f64,
            poses,
            velocities: vec![source.velocities[1]; many],
            contacts: Vec::new(),
            ..source.clone()
        }
    };
    let long = Recording::in_memory(header, (0..3000).map(frame).collect());
    let page = page(&long).unwrap();
    assert!(page.len() < 20_000_000, "{} bytes", page.len());
    let times = doubles(&embedded(&page)["motion"]["times"]);
    assert!(times.len() < 3000 && times.len() > 500, "{}", times.len());
    assert_eq!((times[0], times[times.len() - 1]), (0.0, 0.01 * 2999.0));
    assert!(page.contains(&format!("The playback has {} of the recording&#39;s 3000 frames", times.len())));
    assert!(page.contains("300 (300 that can move)"));
}

/// Every script by itself, if there is a program that can tell.
#[test]
fn the_scripts_are_correct_javascript() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "js") {
            continue;
        }
        match Command::new("node").arg("--check").arg(&path).output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(_) => {
                return eprintln!(
                    "SKIPPED: no `node` is installed, so the scripts of the report are not checked"
                );
            }
        }
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn a_browser_plays_the_page_and_runs_nothing_of_the_scenes_texts() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("seen.png");
    let hostile = page(&hostile()).unwrap();
    let (dom, errors) = browsed(&chromium, &hostile, "t=0.2&forces&body=1", &[], Some(&picture));
    assert!(dom.contains("data-ready=\"drawn\""), "{errors}");
    assert!(!errors.contains("Uncaught") && !errors.contains("GL_INVALID"), "{errors}");
    assert!(!dom.contains("<title>owned"));
    assert!(dom.contains("0.200 of 0.500 s"));
    assert!(dom.matches("class=\"curve\"").count() >= 10, "curves are drawn");
    // The inspector tells of the ball.
    let inspector = dom.split_once("id=\"inspector\"").unwrap().1;
    assert!(inspector.contains("<dd class=\"role\">free</dd>"), "{}", &inspector[..600]);
    // On the stage there is the colour of the block, which is orange as no part of the page is.
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(std::fs::read(picture).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let orange = |p: &&[u8]| p[0] > 150 && p[1] > p[0] / 2 && p[1] < p[0] - 30 && p[2] < p[0] / 3;
    let count = pixels.chunks(info.color_type.samples()).filter(orange).count();
    assert!(count > 300, "{count} orange pixels");
}

/// Clicks where the library's own camera sees the ball: the page must see it there too. Then clicks in the
/// middle of a plot.
#[test]
fn a_click_on_a_body_chooses_it_and_a_click_in_a_plot_goes_to_its_moment() {
    let Some(chromium) = chromium() else { return };
    let recording = sample();
    let stage = Stage::of(&recording).unwrap();
    let frames: Vec<Frame> = recording.frames().map(Result::unwrap).collect();
    // Halfway between two frames of free fall the page shows the mean of both.
    let ball = 0.5 * (frames[5].poses[1].translation() + frames[6].poses[1].translation());
    let seen = Camera::new(&stage.view, Vec3::Z).project(ball);
    let clicks = format!(
        r#"<script>addEventListener("load", () => {{
          const click = (target, x, y) => {{
            for (const type of ["pointerdown", "pointerup"])
              target.dispatchEvent(new PointerEvent(type, {{
                clientX: x, clientY: y, pointerId: 7, bubbles: true, button: 0,
              }}));
          }};
          const canvas = document.getElementById("view"), box = canvas.getBoundingClientRect();
          const scale = 0.5 * box.height;
          click(canvas, box.left + 0.5 * box.width + scale * {}, box.top + scale * (1 - {}));
          setTimeout(() => {{
            document.body.dataset.first = document.getElementById("inspector").innerText;
            const plot = document.querySelector(".plot svg"), area = plot.getBoundingClientRect();
            click(plot, area.left + 52 + 0.5 * (area.width - 60), area.top + 20);
            setTimeout(() => {{
              document.body.dataset.clock = document.getElementById("clock").textContent;
            }}, 300);
          }}, 500);
        }});</script></body>"#,
        seen.x, seen.y
    );
    let page = page(&recording).unwrap().replace("</body>", &clicks);
    let (dom, errors) = browsed(&chromium, &page, "t=0.055", &[], None);
    assert!(!errors.contains("Uncaught"), "{errors}");
    let first = dom.split_once("data-first=\"").unwrap().1.split_once('"').unwrap().0;
    assert!(first.starts_with("ball"), "{first}");
    let position = first.split_once("position").unwrap().1.split_once(" m").unwrap().0;
    let shown: Vec<f64> = position.split(',').map(|x| x.trim().parse().unwrap()).collect();
    assert!((vector(&shown) - ball).length() < 1e-4, "{shown:?} is not {ball}");
    assert!(dom.contains("data-clock=\"0.250 of 0.500 s\""), "the middle of the plot");
}

#[test]
fn a_browser_that_draws_nothing_in_3d_shows_the_picture_and_says_so() {
    let Some(chromium) = chromium() else { return };
    let options = ["--disable-3d-apis"];
    let (dom, errors) = browsed(&chromium, &page(&sample()).unwrap(), "t=0.2", &options, None);
    assert!(dom.contains("data-ready=\"still\""), "{errors}");
    assert!(dom.contains("No playback in 3D"));
    assert!(!errors.contains("Uncaught"), "{errors}");
    assert!(dom.matches("class=\"curve\"").count() >= 10, "the curves are there all the same");
}
