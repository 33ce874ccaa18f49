//! `silvia render`: pictures of a recording, still and moving.

use crate::failure::Failure;
use crate::lengths::{self, Way};
use crate::numbers::{self, file_size};
use crate::product::{Place, opened};
use crate::values;
use serde_json::json;
use silvia::scene::View;
use silvia::scene::picture::{Artist, Film, Image, PictureOptions};
use silvia::solid::files::Unit;
use std::path::PathBuf;

/// Draws moments of a recording as PNG pictures, or all of it as a moving picture (GIF).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia render run --at 0.5                        run/picture.png: half a second after the start
  silvia render run --strip 5 --size 480x360 -o strip.png   five moments side by side
  silvia render run --every 0.04 -o film.png        film-0001.png, film-0002.png ...: 25 per second
  silvia render run -o run.gif                      a moving picture of all of it
  silvia render run --from 0.5 --to 2 --fps 20 -o run.gif
  silvia render run --at 2 --contacts --labels      with forces as arrows and the names of bodies
  silvia render run --at 2 --eye 1,-2,1 --target 0,0,0.2

The recording is a file or the folder that `silvia run --out` made. The ending of FILE says what is
written: .png for pictures, .gif for a moving one. Without --at, --strip, --every and a .gif the last
moment is drawn. Each picture shows the frame nearest to its time, from the scene's
view or, by default, from one that shows everything that moves. The same recording gives the same
bytes. No arrow is longer than 0.7 radii of the scene.")]
pub(crate) struct Render {
    /// The recording: a file, or the folder of a run.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// The time to draw, s.
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_negative_numbers = true)]
    at: Option<f64>,
    /// Draw this many moments from first to last, side by side; the size is that of each.
    #[arg(long, value_name = "COUNT", conflicts_with = "at")]
    strip: Option<usize>,
    /// Draw a numbered picture at this interval, s.
    #[arg(long, value_name = "TIME", value_parser = values::seconds, conflicts_with_all = ["at", "strip"])]
    every: Option<f64>,
    /// The time at which a moving picture begins, s; by default the first.
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["at", "strip", "every"])]
    from: Option<f64>,
    /// The time at which a moving picture ends, s; by default the last.
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["at", "strip", "every"])]
    to: Option<f64>,
    /// Frames of a moving picture per second; 25 by default, 50 at most.
    #[arg(long, value_name = "COUNT", value_parser = values::positive)]
    #[arg(conflicts_with_all = ["at", "strip", "every"])]
    fps: Option<f64>,
    /// The file to write: .png, or .gif for a moving picture; by default picture.png or film.gif in the run's
    /// folder.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Replace an existing FILE.
    #[arg(long)]
    force: bool,
    /// Size, pixels; by default 1280x720, and 640x360 for a moving picture.
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[usize; 2]>,
    /// Draw contact forces as arrows.
    #[arg(long)]
    contacts: bool,
    /// Write the names of bodies beside them.
    #[arg(long)]
    labels: bool,
    /// Leave out the time in the corner.
    #[arg(long)]
    plain: bool,
    /// Position of the eye, m, or with a unit of its own ("400,-600,300 mm").
    #[arg(long, value_name = "X,Y,Z", value_parser = lengths::way, allow_hyphen_values = true)]
    eye: Option<Way>,
    /// The point to look at, likewise.
    #[arg(long, value_name = "X,Y,Z", value_parser = lengths::way, allow_hyphen_values = true)]
    target: Option<Way>,
    /// Vertical angle of view, degrees.
    #[arg(long, value_name = "DEGREES", value_parser = values::positive)]
    angle: Option<f64>,
    /// Report each picture as a line of JSON.
    #[arg(long)]
    json: bool,
}

/// Size of a picture, pixels.
const SIZE: [usize; 2] = [1280, 720];
/// Size of a moving picture, pixels: as wide as pages show one.
const FILM_SIZE: [usize; 2] = [640, 360];
/// Frames of a moving picture per second.
const FPS: f64 = 25.0;
/// The most pictures that --every makes.
const MOST_PICTURES: f64 = 100_000.0;

impl Render {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let is_film = self.is_film()?;
        let recording = opened(&self.recording)?;
        let size = self.size.unwrap_or(if is_film { FILM_SIZE } else { SIZE });
        let bad = |e: &dyn std::fmt::Display| Failure::with_file(&self.recording, e);
        let artist = Artist::new(&recording).map_err(|e| bad(&e))?;
        let found = artist.stage().view_in(size[0] as f64 / size[1] as f64);
        let metres = |way: Way| way.in_unit(Unit::Metre);
        let view = View {
            eye: self.eye.map_or(found.eye, metres),
            target: self.target.map_or(found.target, metres),
            angle: self.angle.map_or(found.angle, f64::to_radians),
        };
        let options = PictureOptions {
            width: size[0],
            height: size[1],
            view: Some(view),
            contacts: self.contacts,
            labels: self.labels,
            caption: !self.plain,
        };
        let name = if is_film { "film.gif" } else { "picture.png" };
        let place = Place::new(self.file.as_deref(), &self.recording, name, self.force);
        if let Some(count) = self.strip {
            place.check()?;
            return self.save(&place, &artist.strip(count, &options).map_err(|e| bad(&e))?, None);
        }
        let time_of = |number: usize| recording.time(number).unwrap_or(0.0);
        let (first, last) = (time_of(0), time_of(recording.len() - 1));
        if is_film {
            place.check()?;
            let span = [self.from.unwrap_or(first), self.to.unwrap_or(last)];
            let film = artist.film(span, self.fps.unwrap_or(FPS), &options).map_err(|e| bad(&e))?;
            return self.save_film(&place, &film, size);
        }
        let Some(every) = self.every else {
            place.check()?;
            let number = artist.number_at(self.at.unwrap_or(last)).map_err(|e| bad(&e))?;
            let image = artist.frame(number, &options).map_err(|e| bad(&e))?;
            return self.save(&place, &image, Some(time_of(number)));
        };
        let count = ((last - first) / every + 1e-9).floor() + 1.0;
        if count > MOST_PICTURES {
            let what =
                format!("--every {every} makes {count} pictures of it: take a longer time between them");
            return Err(Failure::with_file(&self.recording, what));
        }
        for i in 0..count as usize {
            let place = place.numbered(i + 1);
            place.check()?;
            let number = artist.number_at(first + every * i as f64).map_err(|e| bad(&e))?;
            let image = artist.frame(number, &options).map_err(|e| bad(&e))?;
            self.save(&place, &image, Some(time_of(number)))?;
        }
        Ok(())
    }

    /// Whether a moving picture is asked for. Refuses a file that cannot be written as its name says.
    fn is_film(&self) -> Result<bool, Failure> {
        let has_span = self.from.is_some() || self.to.is_some() || self.fps.is_some();
        let Some(file) = &self.file else { return Ok(has_span) };
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let has_moments = self.at.is_some() || self.strip.is_some() || self.every.is_some();
        let what = match (&extension[..], has_span, has_moments) {
            ("png", false, _) => return Ok(false),
            ("gif", _, false) => return Ok(true),
            ("png", true, _) => {
                "--from, --to and --fps are for a moving picture: name a file that ends in .gif"
            }
            ("gif", _, true) => {
                "--at, --strip and --every make .png files; a .gif has --from, --to and --fps"
            }
            _ => "pictures are written as .png and moving ones as .gif: give the file one of these endings",
        };
        Err(Failure::with_file(file, what))
    }

    fn save_film(&self, place: &Place, film: &Film, [width, height]: [usize; 2]) -> Result<(), Failure> {
        place.write(&film.bytes)?;
        let (file, frames, bytes) = (place.path.display(), film.frames, film.bytes.len());
        if self.json {
            let file = file.to_string();
            let line =
                json!({ "file": file, "frames": frames, "width": width, "height": height, "bytes": bytes });
            println!("{line}");
        } else {
            println!("{file}: {frames} frames of {width} by {height} pixels, {}", file_size(bytes as u64));
        }
        Ok(())
    }

    fn save(&self, place: &Place, image: &Image, time: Option<f64>) -> Result<(), Failure> {
        let (width, height) = (image.width, image.height);
        place.write(&image.png().map_err(|e| Failure::with_file(&place.path, e))?)?;
        let file = place.path.display();
        if self.json {
            let line = json!({ "file": file.to_string(), "time": time, "width": width, "height": height });
            println!("{line}");
        } else if let Some(time) = time {
            println!("{file}: {width} by {height} pixels, at {} s", numbers::time(time));
        } else {
            println!("{file}: {width} by {height} pixels");
        }
        Ok(())
    }
}

/// Parses two whole numbers with an x between them.
fn size(text: &str) -> Result<[usize; 2], String> {
    let parsed = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    parsed.ok_or_else(|| "give width and height in pixels, as in 1280x720".into())
}
