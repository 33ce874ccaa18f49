//! `silvia resume`: continues a run, to the same bits as if it had never ended.

use crate::failure::Failure;
use crate::numbers::time;
use crate::run::{named, note_other_end};
use crate::running::{Running, table, told};
use crate::values;
use silvia::scene::recording::{FILE_NAME, PROGRAM, RecordingError, RecordingWriter, Why, file_of};
use silvia::scene::run::setup_again;
use silvia::scene::scene::length_unit;
use silvia::scene::{Recording, Runner};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Continues a run that was stopped, killed or has ended, to the same bits.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  silvia resume runs/stack                        from where it was stopped or killed
  silvia resume runs/stack --until 10             longer than before
  silvia resume runs/stack --from 1.5 --out other from the last state before 1.5 s, into a new recording

The scene comes from the recording, with all its files. What was recorded after the state that the
run continues from is computed again, to the same bits. The summary covers the whole run, from its
very beginning.")]
pub(crate) struct Resume {
    /// The recording: the folder of a run, or the file in it.
    #[arg(value_name = "RECORDING")]
    recording: PathBuf,
    /// Continue from the last state kept at or before this time, s; by default from the last of all.
    #[arg(long, value_name = "SECONDS", value_parser = values::time)]
    from: Option<f64>,
    /// End time, s of simulated time; by default that of the run.
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    until: Option<f64>,
    /// Write a new recording into this folder, which begins like the old one; the old one stays as it is.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Cut off what was recorded after `--from`, or replace a recording in the folder of `--out`.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    running: Running,
}

impl Resume {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let bad = |error: RecordingError| Failure::Bad(error.to_string());
        let file = file_of(&self.recording);
        let recording = Recording::open(&file).map_err(bad)?;
        if recording.lost() > 0 {
            eprintln!(
                "{}: the last {} bytes were not written whole; they are left out",
                file.display(),
                recording.lost()
            );
        }
        if recording.header().made_by != PROGRAM {
            let by = &recording.header().made_by;
            eprintln!("{}: made by {by}; {PROGRAM} may go on to other bits", file.display());
        }
        let state = self.chosen(&recording, &file)?;
        self.is_within(&recording, &file)?;
        let until = self.until.filter(|&until| until != recording.header().until);
        if let (None, None, Some(ending)) = (state, until, recording.ending())
            && ending.why == Why::Finished
        {
            eprintln!("{}: has come to its end already; `--until SECONDS` goes on", file.display());
            let unit = recording.header().source.unit_of_length();
            let table = table(&ending.summary, length_unit(&unit), &file);
            std::io::stdout().write_all(table.as_bytes())?;
            return self.running.judge(&ending.summary);
        }
        self.reaches_further(&recording, &file, state, until)?;
        drop(recording);
        let (mut writer, header, kept) = match &self.out {
            None => RecordingWriter::resume(&file, state).map_err(bad)?,
            Some(folder) => {
                let copy = named(folder)?.join(FILE_NAME);
                RecordingWriter::resume_copy(&file, state, &copy, self.force).map_err(bad)?
            }
        };
        if let Some(until) = until {
            writer.plan(until).map_err(bad)?;
        }
        let setup = setup_again(&header, until).map_err(|error| Failure::Bad(error.to_string()))?;
        note_other_end(&setup);
        let mut options = self.running.options();
        // A verdict on only a part of the run would be taken for one on all of it.
        options.is_checked &= kept.tally.checked.is_some();
        let stop = options.stop.clone();
        let file = writer.path().to_owned();
        let runner = Runner::new(setup, options).and_then(|runner| runner.resumed(kept));
        self.running.run(runner.map_err(|error| told(&error))?.recorded(writer), &stop, &file)
    }

    /// Refuses times that a run which has ended does not have, or has had.
    fn is_within(&self, recording: &Recording, file: &Path) -> Result<(), Failure> {
        let Some(ending) = recording.ending().filter(|ending| ending.why == Why::Finished) else {
            return Ok(());
        };
        let (end, half) = (ending.summary.sim_seconds, 0.5 * recording.header().step);
        let told = time(end);
        if let Some(from) = self.from.filter(|from| *from > end + half) {
            let what =
                format!("this run ended at {told} s: `--from {from}` is after that; give an earlier time");
            return Err(Failure::with_file(file, what));
        }
        if self.from.is_none() && self.until.is_some_and(|until| until <= end + half) {
            let what = format!("this run ended at {told} s; give a later `--until` to continue it");
            return Err(Failure::with_file(file, what));
        }
        Ok(())
    }

    /// Refuses an end before the state that the run would go on from.
    fn reaches_further(
        &self,
        recording: &Recording,
        file: &Path,
        state: Option<usize>,
        until: Option<f64>,
    ) -> Result<(), Failure> {
        let states = recording.states();
        let Some(begin) = state.map_or(states.last(), |number| states.get(number)) else { return Ok(()) };
        match until {
            Some(until) if until <= begin.time + 0.5 * recording.header().step => {
                let [until, begin] = [until, begin.time].map(time);
                let what = format!(
                    "goes on from {begin} s, so that it cannot end at {until} s: give a later `--until`, or \
                     `--from SECONDS` for an earlier state"
                );
                Err(Failure::with_file(file, what))
            }
            _ => Ok(()),
        }
    }

    /// The state to continue from; none for the last.
    fn chosen(&self, recording: &Recording, file: &Path) -> Result<Option<usize>, Failure> {
        let Some(from) = self.from else { return Ok(None) };
        let states = recording.states();
        // Times are sums of steps: a difference of half a step does not count.
        let slack = 0.5 * recording.header().step;
        let Some(last) = states.iter().rposition(|state| state.time <= from + slack) else {
            return Err(Failure::with_file(file, format!("has no state kept at or before {from} s")));
        };
        if last + 1 == states.len() {
            return Ok(None);
        }
        if self.out.is_none() && !self.force {
            let time = time(states[last].time);
            let what = format!(
                "what was recorded after {time} s would be cut off: say `--out FOLDER` to go on in a copy, \
                 or `--force`"
            );
            return Err(Failure::with_file(file, what));
        }
        Ok(Some(last))
    }
}
