//! Pictures of a recording, rendered in software: the same bytes on every run, without a window or a graphics
//! card.
//!
//! [`Artist`] draws frames of a [`Recording`]. It uses [`Canvas`] and [`Camera`], which serve for other
//! pictures too.

mod arrows;
mod bodies;
mod camera;
mod canvas;
mod film;
mod font;
mod ground;
mod image;
mod ink;
mod labels;
mod light;
mod palette;
mod shadow;

pub use camera::Camera;
pub use canvas::{Canvas, Colour, linear};
pub use film::{Film, MOST_FPS, MOST_FRAMES};
pub use image::Image;
#[cfg(feature = "report")]
pub(crate) use light::sun_of;

use crate::drawing::Mesh;
use crate::recording::{Frame, RecordedBody, Recording, RecordingError, View};
use crate::smooth::SmoothMesh;
use crate::stage::Stage;
use bodies::Drawn;
use labels::Label;
use light::Light;
use rayon::prelude::*;
use silvia_solid::Vec3;
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

/// What a picture shows, and its size.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureOptions {
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
    /// The view, in place of the recording's own or the automatic one.
    pub view: Option<View>,
    /// Whether to draw contact forces as arrows.
    pub contacts: bool,
    /// Whether to write the names of bodies beside them.
    pub labels: bool,
    /// Whether to write the time in a corner.
    pub caption: bool,
}

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PictureError {
    /// A recording without frames.
    #[error("the recording has no frames: there is nothing to draw; run the scene a little longer")]
    Empty,
    /// An invalid size.
    #[error(
        "a picture of {width} by {height} pixels cannot be drawn: give from 1 to {MOST_PIXELS} in each \
         direction"
    )]
    Size {
        /// Width, pixels.
        width: usize,
        /// Height, pixels.
        height: usize,
    },
    /// An invalid view.
    #[error(
        "no picture can be taken from {} of {} at an angle of {} rad: all numbers must be finite, the eye \
         away from the target, the angle between 0 and 3",
        view.eye, view.target, view.angle
    )]
    View {
        /// The given view.
        view: View,
    },
    /// A time outside the recording.
    #[error("the recording has no moment {time} s: it goes from {} s to {} s", shown(*first), shown(*last))]
    Time {
        /// The requested time, s.
        time: f64,
        /// Time of the first frame, s.
        first: f64,
        /// Time of the last frame, s.
        last: f64,
    },
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A film that is too short, too long or too fast.
    #[error(
        "a film from {from} s to {to} s at {fps} frames a second {}",
        if to < from {
            "would end before it begins: give the later time second".to_owned()
        } else {
            format!(
                "would have {frames} frames: give at most {MOST_FPS} frames a second and {MOST_FRAMES} in all"
            )
        }
    )]
    Film {
        /// Its start, s.
        from: f64,
        /// Its end, s.
        to: f64,
        /// Frames a second.
        fps: f64,
        /// How many frames that would be.
        frames: f64,
    },
    /// The encoder failed.
    #[error("the picture could not be encoded: {0}")]
    Png(#[from] png::EncodingError),
    /// The encoder of films failed.
    #[error("the film could not be encoded: {0}")]
    Gif(#[from] gif::EncodingError),
    /// A film could not be finished.
    #[error("the film could not be finished: {0}")]
    Unfinished(#[from] std::io::Error),
}

/// A time without the last digits, which are rounding errors of a sum of steps.
fn shown(seconds: f64) -> f64 {
    format!("{seconds:.12}").parse().unwrap_or(seconds)
}

/// The largest width and height, pixels.
pub const MOST_PIXELS: usize = 16_384;
/// Number of rows drawn together; a picture is drawn in such bands, each independently.
const BAND: usize = 48;
/// How far a time may be before the first or after the last frame and still mean it, in frame intervals.
const SLACK: f64 = 1.0;
/// The largest angle of view, rad.
const WIDEST: f64 = 3.0;

impl Default for PictureOptions {
    fn default() -> PictureOptions {
        PictureOptions { width: 1280, height: 720, view: None, contacts: false, labels: false, caption: true }
    }
}

/// Draws frames of one recording.
pub struct Artist<'a> {
    recording: &'a Recording,
    stage: Stage,
    /// One per body; bodies from the same part share theirs.
    meshes: Vec<Arc<SmoothMesh>>,
}

impl<'a> Artist<'a> {
    /// Reads the whole recording to choose the view.
    pub fn new(recording: &'a Recording) -> Result<Artist<'a>, PictureError> {
        if recording.is_empty() {
            return Err(PictureError::Empty);
        }
        let stage = Stage::of(recording)?;
        Ok(Artist { recording, stage, meshes: smooth_meshes(recording) })
    }

    /// The chosen view and scales.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Draws the frame nearest to a time, s.
    pub fn at(&self, time: f64, options: &PictureOptions) -> Result<Image, PictureError> {
        self.frame(self.number_at(time)?, options)
    }

    /// The index of the frame nearest to a time, s; an error if the time is outside the recording.
    pub fn number_at(&self, time: f64) -> Result<usize, PictureError> {
        let last = self.recording.len() - 1;
        let [first_time, last_time] = [0, last].map(|number| self.recording.time(number).unwrap_or(0.0));
        let slack = SLACK * (last_time - first_time) / last.max(1) as f64;
        let known = self.recording.number_at(time);
        known.filter(|_| time >= first_time - slack && time <= last_time + slack).ok_or(PictureError::Time {
            time,
            first: first_time,
            last: last_time,
        })
    }

    /// Draws frames evenly spread over the recording side by side; the size is that of each.
    pub fn strip(&self, count: usize, options: &PictureOptions) -> Result<Image, PictureError> {
        let last = self.recording.len() - 1;
        let number = |i: usize| if count > 1 { (i * last + (count - 1) / 2) / (count - 1) } else { last };
        let total = (options.width + STRIP_SPACE).saturating_mul(count).saturating_sub(STRIP_SPACE);
        if count == 0 || total > MOST_PIXELS {
            return Err(PictureError::Size { width: total, height: options.height });
        }
        let images = (0..count)
            .map(|i| self.frame(number(i), options))
            .collect::<Result<Vec<Image>, PictureError>>()?;
        Ok(Image::beside(&images, STRIP_SPACE))
    }

    /// Draws a frame by its index.
    pub fn frame(&self, number: usize, options: &PictureOptions) -> Result<Image, PictureError> {
        let (width, height) = (options.width, options.height);
        if !(1..=MOST_PIXELS).contains(&width) || !(1..=MOST_PIXELS).contains(&height) {
            return Err(PictureError::Size { width, height });
        }
        let shape = width as f64 / height as f64;
        let view = options.view.unwrap_or_else(|| self.stage.view_in(shape));
        if !is_usable(&view) {
            return Err(PictureError::View { view });
        }
        let frame = self.recording.frame(number)?;
        Ok(self.drawn(&frame, &view, options))
    }

    fn drawn(&self, frame: &Frame, view: &View, options: &PictureOptions) -> Image {
        let (width, height) = (options.width, options.height);
        let header = self.recording.header();
        let camera = Camera::new(view, self.stage.up);
        let empty = Canvas::part(width, height, 0..0, light::BACKGROUND, camera.clone());
        let bodies: Vec<Drawn<'_>> =
            (header.bodies.par_iter().zip(&frame.poses).zip(&self.meshes).enumerate())
                .filter(|(number, _)| !self.stage.is_ground(*number))
                .map(|(_, ((body, pose), mesh))| Drawn::new(mesh, pose, body.colour, &empty))
                .collect();
        let labels = if options.labels { self.labels(frame, &empty) } else { Vec::new() };
        let light = Light::new(&camera, self.stage.up, &bodies);
        let planes = self.stage.planes(header);
        let bands = (0..height.div_ceil(BAND)).into_par_iter().map(|band| {
            let rows = band * BAND..((band + 1) * BAND).min(height);
            let mut canvas = Canvas::part(width, height, rows, light::BACKGROUND, camera.clone());
            bodies.iter().for_each(|body| body.draw(&mut canvas, &light));
            ground::draw(&mut canvas, &planes, &self.stage, &light);
            if options.contacts {
                arrows::draw(&mut canvas, frame, &self.stage);
            }
            labels.iter().for_each(|label| label.draw_thread(&mut canvas));
            labels.iter().for_each(|label| label.draw(&mut canvas));
            if options.caption {
                font::caption(&mut canvas, &format!("t = {:.3} s", frame.time));
            }
            canvas.image().bytes
        });
        let bytes: Vec<Vec<u8>> = bands.collect();
        Image { width, height, bytes: bytes.concat() }
    }

    /// Names at the centres of mass. Where they would lie on each other, what moves keeps its place before
    /// what is fixed, and the nearer before the farther.
    fn labels(&self, frame: &Frame, canvas: &Canvas) -> Vec<Label> {
        let bodies = self.recording.header().bodies.iter().zip(&frame.poses).enumerate();
        let mut named: Vec<(bool, Vec3, &str)> = bodies
            .filter(|(number, _)| !self.stage.is_ground(*number))
            .map(|(_, (body, pose))| {
                (body.role == "fixed", pose.transform_point(body.centre), body.name.as_str())
            })
            .collect();
        let nearness = |point: Vec3| canvas.on_screen(point).z;
        named.sort_by(|a, b| a.0.cmp(&b.0).then(nearness(b.1).total_cmp(&nearness(a.1))));
        let named: Vec<(Vec3, &str)> = named.into_iter().map(|(_, at, name)| (at, name)).collect();
        labels::placed(canvas, &named)
    }
}

/// Space between the frames of a strip, pixels.
const STRIP_SPACE: usize = 4;

/// One per body; bodies that share a mesh share its result.
fn smooth_meshes(recording: &Recording) -> Vec<Arc<SmoothMesh>> {
    let bodies = &recording.header().bodies;
    let mut known: HashMap<*const Mesh, Arc<SmoothMesh>> = HashMap::new();
    let of = |body: &RecordedBody| {
        let made = || Arc::new(SmoothMesh::of(&body.mesh));
        known.entry(Arc::as_ptr(&body.mesh)).or_insert_with(made).clone()
    };
    bodies.iter().map(of).collect()
}

fn is_usable(view: &View) -> bool {
    view.eye.is_finite()
        && view.target.is_finite()
        && (view.target - view.eye).try_normalize().is_some_and(|forward: Vec3| forward.is_finite())
        && view.angle > 0.0
        && view.angle < WIDEST
}
