//! Pictures of boxes and arrows, and of things in the plane, as SVG.

use crate::Outcome;
use silvia::prelude::*;
use silvia::proximity::culling::CullingMethod;
use std::fmt::Write;
use std::path::Path;

/// A drawing in the plane; y points down.
pub(crate) struct Svg {
    size: [f64; 2],
    body: String,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64) -> Svg {
        Svg { size: [width, height], body: String::new() }
    }

    pub(crate) fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    fn rect(&mut self, [x, y, w, h]: [f64; 4], fill: &str, line: &str) {
        self.add(format_args!(
            "<rect x='{x}' y='{y}' width='{w}' height='{h}' rx='5' fill='{fill}' stroke='{line}'/>"
        ));
    }

    pub(crate) fn text(&mut self, [x, y]: [f64; 2], anchor: &str, text: &str) {
        self.add(format_args!("<text x='{x}' y='{y}' text-anchor='{anchor}'>{text}</text>"));
    }

    pub(crate) fn small(&mut self, [x, y]: [f64; 2], text: &str) {
        self.add(format_args!("<text x='{x}' y='{y}' text-anchor='middle' class='small'>{text}</text>"));
    }

    pub(crate) fn arrow(&mut self, [x1, y1, x2, y2]: [f64; 4], colour: &str) {
        self.add(format_args!(
            "<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{colour}' stroke-width='2' \
             marker-end='url(#tip)'/>"
        ));
    }

    /// A box with a title and a line below it.
    fn card(&mut self, [x, y, w, h]: [f64; 4], fill: &str, title: &str, below: &str) {
        self.rect([x, y, w, h], fill, "#667");
        let middle = x + 0.5 * w;
        if below.is_empty() {
            self.text([middle, y + 0.5 * h + 5.0], "middle", title);
        } else {
            self.text([middle, y + 0.5 * h - 3.0], "middle", title);
            self.small([middle, y + 0.5 * h + 15.0], below);
        }
    }

    pub(crate) fn save(&self, path: &Path) -> Outcome {
        let [width, height] = self.size;
        let head = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' \
             height='{height}' font-family='sans-serif' font-size='15'>\n\
             <style>.small {{ font-size: 12px; fill: #556 }}</style>\n\
             <marker id='tip' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='6' markerHeight='6' \
             orient='auto'><path d='M0 0L10 5L0 10z' fill='#334'/></marker>\n\
             <rect width='{width}' height='{height}' fill='#fff'/>\n"
        );
        Ok(std::fs::write(path, head + &self.body + "</svg>\n")?)
    }
}

const PALE: [&str; 4] = ["#e3edf9", "#fdeeda", "#e4f3e8", "#f3e9f7"];
pub(crate) const INK: &str = "#334";

/// Boxes in the plane: those that overlap another are filled, and lines join the pairs.
pub(crate) fn culling(path: &Path) -> Outcome {
    let boxes: Vec<Aabb> = (1..=34)
        .map(|i| {
            // Multiples of numbers that are far from any ratio: evenly spread, and the same on every run.
            let part = |ratio: f64| (f64::from(i) * ratio).fract();
            let min = Vec3::new(20.0 + 760.0 * part(0.754_877_67), 15.0 + 220.0 * part(0.569_840_3), 0.0);
            Aabb { min, max: min + Vec3::new(35.0 + 55.0 * part(0.41), 25.0 + 40.0 * part(0.73), 1.0) }
        })
        .collect();
    let mut culling = CullingMethod::default().start();
    let ids = culling.insert(&boxes)?;
    let began = culling.update().began.clone();
    let number = |id| ids.iter().position(|&other| other == id);
    let pairs: Vec<[usize; 2]> =
        began.iter().filter_map(|pair| Some([number(pair.first)?, number(pair.second)?])).collect();
    let mut svg = Svg::new(900.0, 310.0);
    for (index, b) in boxes.iter().enumerate() {
        let fill = if pairs.iter().any(|pair| pair.contains(&index)) { "#f6b8b0" } else { "#e9ecf1" };
        let size = b.max - b.min;
        svg.add(format_args!(
            "<rect x='{:.1}' y='{:.1}' width='{:.1}' height='{:.1}' fill='{fill}' fill-opacity='0.75' \
             stroke='#667'/>",
            b.min.x, b.min.y, size.x, size.y
        ));
    }
    for [a, b] in pairs {
        let [p, q] = [a, b].map(|i| 0.5 * (boxes[i].min + boxes[i].max));
        svg.add(format_args!(
            "<line x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}' stroke='#b03020' stroke-width='2.5'/>",
            p.x, p.y, q.x, q.y
        ));
    }
    svg.save(path)
}

/// A block on a slope: its weight, and the impulse of a contact within the cone of friction.
pub(crate) fn problem(path: &Path) -> Outcome {
    let mut svg = Svg::new(900.0, 300.0);
    svg.add(format_args!("<path d='M150 270L750 270L750 120z' fill='#dfe3e8' stroke='#667'/>"));
    // Drawn along the slope, then turned with it.
    svg.add(format_args!("<g transform='translate(450 195) rotate(-14.04)'>"));
    svg.add(format_args!("<path d='M0 0L-45 -150L45 -150z' fill='#fdeeda' stroke='#d08a20'/>"));
    svg.add(format_args!(
        "<rect x='-70' y='-80' width='140' height='80' fill='#8fb4e3' fill-opacity='0.75' stroke='#334'/>"
    ));
    svg.arrow([0.0, 0.0, 0.0, -120.0], INK);
    svg.text([-14.0, -122.0], "middle", "n");
    svg.arrow([0.0, 0.0, 60.0, 0.0], INK);
    svg.text([76.0, 18.0], "middle", "t");
    svg.add(format_args!("</g>"));
    svg.arrow([450.0, 195.0, 450.0, 95.0], INK);
    svg.text([466.0, 112.0], "start", "r");
    svg.arrow([440.0, 157.0, 440.0, 257.0], INK);
    svg.text([424.0, 250.0], "end", "weight");
    svg.text([560.0, 52.0], "start", "cone of friction: |r_T| ≤ μ r_N");
    svg.add(format_args!("<line x1='552' y1='47' x2='450' y2='62' stroke='#d08a20'/>"));
    svg.save(path)
}

/// What a recording holds, and what becomes of one that was cut off.
pub(crate) fn recording(path: &Path) -> Outcome {
    let mut svg = Svg::new(900.0, 200.0);
    let blocks = [
        (90.0, 0, "scene", "and its files"),
        (60.0, 1, "state", "t = 0"),
        (150.0, 2, "frames", "poses, forces, events"),
        (60.0, 1, "state", "t = 1 s"),
        (150.0, 2, "frames", ""),
        (60.0, 1, "state", "t = 2 s"),
        (100.0, 2, "frames", ""),
    ];
    let mut x = 20.0;
    for (width, colour, title, below) in blocks {
        svg.card([x, 50.0, width, 60.0], PALE[colour], title, below);
        x += width + 8.0;
    }
    svg.add(format_args!(
        "<rect x='{x}' y='50' width='80' height='60' fill='none' stroke='#b03020' stroke-dasharray='5 4'/>"
    ));
    svg.small([x + 40.0, 84.0], "cut off");
    svg.small([x + 40.0, 38.0], "kill -9");
    let state = 20.0 + 90.0 + 8.0 + 60.0 + 8.0 + 150.0 + 8.0 + 60.0 + 8.0 + 150.0 + 8.0 + 30.0;
    svg.add(format_args!(
        "<path d='M{} 115 C{} 165 {state} 165 {state} 118' fill='none' stroke='{INK}' stroke-width='2' \
         marker-end='url(#tip)'/>",
        x + 40.0,
        x + 40.0
    ));
    svg.text(
        [0.5 * (state + x + 40.0), 180.0],
        "middle",
        "silvia resume: from the last state, to the same bits",
    );
    svg.text([20.0, 34.0], "start", "recording.silvia");
    svg.save(path)
}

/// From a recording to other programs.
pub(crate) fn export(path: &Path) -> Outcome {
    let mut svg = Svg::new(900.0, 270.0);
    svg.card([20.0, 100.0, 170.0, 64.0], PALE[1], "recording", "silvia run");
    svg.card([290.0, 100.0, 150.0, 64.0], PALE[0], "silvia export", "");
    svg.arrow([190.0, 132.0, 286.0, 132.0], INK);
    let formats = [
        ("CSV", "spreadsheets, pandas"),
        ("VTU and PVD", "ParaView"),
        ("glTF", "Blender, browsers"),
        ("MCAP", "Foxglove"),
    ];
    for (index, (format, reader)) in formats.into_iter().enumerate() {
        let y = 14.0 + 62.0 * index as f64;
        svg.card([560.0, y, 300.0, 52.0], PALE[2], format, reader);
        svg.arrow([440.0, 132.0, 556.0, y + 26.0], INK);
    }
    svg.save(path)
}

/// The commands, by what they are about.
pub(crate) fn commands(path: &Path) -> Outcome {
    let columns: [(&str, &[&str]); 4] = [
        ("one part", &["make", "inspect", "convert", "decompose"]),
        ("several parts", &["collide", "distance", "penetration", "impact", "contacts", "fit"]),
        ("a scene", &["check", "run", "validate"]),
        ("a recording", &["resume", "report", "render", "export"]),
    ];
    let mut svg = Svg::new(900.0, 268.0);
    for (index, (title, names)) in columns.into_iter().enumerate() {
        let x = 20.0 + 220.0 * index as f64;
        svg.rect([x, 12.0, 200.0, 244.0], PALE[index], "#667");
        svg.text([x + 100.0, 38.0], "middle", title);
        for (row, name) in names.iter().enumerate() {
            svg.add(format_args!(
                "<text x='{}' y='{}' text-anchor='middle' font-family='monospace'>silvia {name}</text>",
                x + 100.0,
                74.0 + 32.0 * row as f64
            ));
        }
    }
    svg.save(path)
}

/// How a proof goes.
pub(crate) fn proofs(path: &Path) -> Outcome {
    let mut svg = Svg::new(900.0, 190.0);
    svg.card([20.0, 62.0, 170.0, 64.0], PALE[0], "random trial", "from a seed");
    svg.card([300.0, 14.0, 220.0, 64.0], PALE[1], "Silvia", "what is to be proved");
    svg.card([300.0, 110.0, 220.0, 64.0], PALE[2], "oracle", "shares no code with it");
    svg.arrow([190.0, 84.0, 296.0, 50.0], INK);
    svg.arrow([190.0, 104.0, 296.0, 138.0], INK);
    svg.card([640.0, 62.0, 220.0, 64.0], PALE[3], "the same?", "count, keep, go on");
    svg.arrow([520.0, 50.0, 636.0, 84.0], INK);
    svg.arrow([520.0, 138.0, 636.0, 104.0], INK);
    svg.save(path)
}
