//! Writes an MCAP file for Foxglove: JSON messages, where possible in the schemas that its 3D panel knows.

mod messages;
mod schemas;

use super::choice::Chosen;
use super::output::NewFile;
use super::{ExportError, Exported};
use mcap::records::MessageHeader;
use mcap::{McapError, McapResult, WriteOptions, Writer};
use messages::Words;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

pub(super) fn write(
    chosen: &Chosen<'_>,
    path: &Path,
    replace: bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let file = NewFile::create(path, replace)?;
    let failed = |error: McapError| match error {
        McapError::Io(error) => ExportError::at(path)(error),
        other => ExportError::at(path)(io::Error::other(other)),
    };
    let header = chosen.header();
    let words = Words::of(header);
    // Name the program that made the recording, not the version of the MCAP library.
    let options = WriteOptions::new().compression(None).library(header.made_by.clone());
    let mut log = Log::new(options.create(file).map_err(failed)?).map_err(failed)?;
    let mut accounts = chosen.accounts()?.into_iter().peekable();
    for (done, frame) in chosen.frames().enumerate() {
        let (number, frame) = frame?;
        if frame.time < 0.0 {
            return Err(ExportError::BadFrame { number, what: "its time is before 0" });
        }
        log.sequence = number as u32;
        let mut put = || {
            if done == 0 {
                log.put(Topic::Bodies, frame.time, &words.bodies(header, frame.time))?;
            }
            while let Some(row) = accounts.next_if(|row| row.time <= frame.time) {
                log.put(Topic::Account, row.time, &messages::account(&row))?;
            }
            for impact in &frame.impacts {
                log.put(Topic::Impacts, impact.time, &words.impact(impact))?;
            }
            log.put(Topic::Poses, frame.time, &words.poses(&frame))?;
            log.put(Topic::Forces, frame.time, &words.forces(&frame))?;
            log.put(Topic::Contacts, frame.time, &words.contacts(&frame))?;
            log.put(Topic::Energy, frame.time, &messages::energy(&frame))?;
            log.put(Topic::Step, frame.time, &messages::step(&frame))
        };
        put().map_err(failed)?;
        progress(done + 1, chosen.len());
    }
    // Those of steps after the last frame that was chosen.
    accounts
        .try_for_each(|row| log.put(Topic::Account, row.time, &messages::account(&row)))
        .map_err(failed)?;
    log.writer.finish().map_err(failed)?;
    log.writer.into_inner().finish(chosen.len())
}

/// The topics.
#[derive(Clone, Copy)]
enum Topic {
    Poses,
    Bodies,
    Forces,
    Contacts,
    Impacts,
    Energy,
    Account,
    Step,
}

/// In the order of [`Topic`].
const TOPICS: [&str; 8] =
    ["/tf", "/bodies", "/forces", "/contacts", "/impacts", "/energy", "/account", "/step"];

struct Log {
    writer: Writer<NewFile>,
    channels: [u16; TOPICS.len()],
    sequence: u32,
    text: Vec<u8>,
}

impl Log {
    fn new(mut writer: Writer<NewFile>) -> McapResult<Log> {
        let mut channels = [0; TOPICS.len()];
        for (channel, topic) in channels.iter_mut().zip(TOPICS) {
            let (name, schema) = schemas::of(topic);
            let schema = writer.add_schema(name, "jsonschema", schema.to_string().as_bytes())?;
            *channel = writer.add_channel(schema, topic, "json", &BTreeMap::new())?;
        }
        Ok(Log { writer, channels, sequence: 0, text: Vec::new() })
    }

    fn put(&mut self, topic: Topic, time: f64, message: &impl Serialize) -> McapResult<()> {
        self.text.clear();
        serde_json::to_writer(&mut self.text, message).map_err(io::Error::from)?;
        let time = messages::nanoseconds(time);
        let channel_id = self.channels[topic as usize];
        let header =
            MessageHeader { channel_id, sequence: self.sequence, log_time: time, publish_time: time };
        self.writer.write_to_known_channel(&header, &self.text)
    }
}
