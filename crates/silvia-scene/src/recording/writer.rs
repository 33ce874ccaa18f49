//! Writes a recording block by block. What has been written stays, whatever happens; only the last block can
//! be cut short.

use super::block::{BLOCK_HEAD, Tag, block, preamble, trailer};
use super::frame::Frame;
use super::header::Header;
use super::index::{Index, StateBlock};
use super::kept::{self, KeptState, StateInfo};
use super::reader::{Plan, Reader};
use super::{AccountRow, Ending, PROGRAM, ProfileRow, RecordingError, Watch, WatchRow};
use super::{account, frames, head, profile, watch};
use silvia_world::Profile;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A frame block is closed at this many words: reading a frame then unpacks at most 4 MiB.
const MOST_WORDS: usize = 1 << 19;
/// Or at this many frames.
const MOST_FRAMES: usize = 512;

/// Writes a recording. Holds a lock on the file.
#[derive(Debug)]
pub struct RecordingWriter {
    path: PathBuf,
    file: File,
    /// Place and number of the next block.
    end: u64,
    number: u32,
    index: Index,
    bodies: usize,
    /// Frames that wait to be written as one block.
    waiting: Vec<Frame>,
    waiting_words: usize,
    /// Accounts that wait with them.
    waiting_accounts: Vec<AccountRow>,
    /// Profile rows that wait with them.
    waiting_rows: Vec<ProfileRow>,
    /// What was watched since.
    waiting_watched: Vec<WatchRow>,
    /// The number of values in a row of it.
    watch_width: usize,
    /// The sum of all rows, including those before the run was resumed.
    profiled: Profile,
    is_synced: bool,
    /// Size of the last kept state in the file, bytes.
    state_bytes: u64,
}

impl RecordingWriter {
    /// Creates a file. Replaces an existing one only if `force` is true.
    pub fn create(path: &Path, header: &Header, force: bool) -> Result<RecordingWriter, RecordingError> {
        let blocks = head::blocks(header)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let options = if force { options.create(true).truncate(false) } else { options.create_new(true) };
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => RecordingError::Exists { path: path.to_owned() },
            _ => RecordingError::write(path)(error),
        })?;
        lock(&file, path)?;
        file.set_len(0).map_err(RecordingError::write(path))?;
        let mut writer = RecordingWriter::new(path, file, header);
        writer.put(&preamble(PROGRAM))?;
        for (tag, content) in blocks {
            writer.block(tag, &content)?;
        }
        writer.sync()?;
        Ok(writer)
    }

    /// Continues a file from one of its kept states, by default the last; everything after that state is cut
    /// off. Returns the header and the state too.
    pub fn resume(
        path: &Path,
        state: Option<usize>,
    ) -> Result<(RecordingWriter, Header, KeptState), RecordingError> {
        let file =
            OpenOptions::new().read(true).write(true).open(path).map_err(RecordingError::read(path))?;
        lock(&file, path)?;
        let again = file.try_clone().map_err(RecordingError::read(path))?;
        let reader = Reader::of_file(path, again)?;
        let (state, block) = chosen(&reader, state)?;
        let mut writer = RecordingWriter::new(path, file, &reader.header);
        writer.profiled = profiled(&reader, block);
        writer.go_on(&reader, block)?;
        writer.file.set_len(block.end).map_err(RecordingError::write(path))?;
        writer.plan_again()?;
        Ok((writer, reader.header, state))
    }

    /// Like [`RecordingWriter::resume`], but in a copy: the original file stays as it is.
    pub fn resume_copy(
        from: &Path,
        state: Option<usize>,
        to: &Path,
        force: bool,
    ) -> Result<(RecordingWriter, Header, KeptState), RecordingError> {
        let reader = Reader::open(from)?;
        if fs::canonicalize(from).ok().is_some_and(|from| fs::canonicalize(to).is_ok_and(|to| from == to)) {
            return Err(RecordingError::Exists { path: to.to_owned() });
        }
        let (state, block) = chosen(&reader, state)?;
        let mut writer = RecordingWriter::create(to, &reader.header, force)?;
        writer.file.set_len(0).and_then(|()| writer.file.rewind()).map_err(RecordingError::write(to))?;
        let source = File::open(from).map_err(RecordingError::read(from))?;
        io::copy(&mut source.take(block.end), &mut writer.file).map_err(RecordingError::write(to))?;
        writer.profiled = profiled(&reader, block);
        writer.go_on(&reader, block)?;
        writer.plan_again()?;
        writer.is_synced = false;
        writer.sync()?;
        Ok((writer, reader.header, state))
    }

    /// Adds a frame. It is written together with others, at the latest by [`RecordingWriter::flush`].
    pub fn frame(&mut self, frame: Frame) -> Result<(), RecordingError> {
        let is_known = |pair: &[u32; 2]| pair.iter().all(|&body| (body as usize) < self.bodies);
        let fits = frame.poses.len() == self.bodies
            && frame.velocities.len() == self.bodies
            && frame.contacts.iter().all(|contact| is_known(&contact.bodies))
            && frame.impacts.iter().all(|impact| is_known(&impact.bodies))
            && frame.time.is_finite();
        if !fits {
            return Err(RecordingError::WrongFrame { step: frame.step, bodies: self.bodies });
        }
        self.waiting_words += frames::words_of(&frame);
        self.waiting.push(frame);
        if self.waiting_words >= MOST_WORDS || self.waiting.len() >= MOST_FRAMES {
            self.close()
        } else {
            Ok(())
        }
    }

    /// Adds the account of the run so far. It is written together with frames.
    pub fn account(&mut self, row: AccountRow) -> Result<(), RecordingError> {
        if !row.time.is_finite() {
            return Err(RecordingError::NotFinite { what: "time of an account", given: row.time });
        }
        self.waiting_accounts.push(row);
        Ok(())
    }

    /// Adds the profile of the steps since the last row. It is written together with frames.
    pub fn profile(&mut self, row: ProfileRow) -> Result<(), RecordingError> {
        let seconds = row.profile.costs().map(|(_, cost)| cost.seconds).chain([row.profile.seconds]);
        for given in seconds.chain([row.time]) {
            if !given.is_finite() {
                return Err(RecordingError::NotFinite { what: "profile", given });
            }
        }
        self.profiled.add(&row.profile);
        self.waiting_rows.push(row);
        Ok(())
    }

    /// Adds what the watches of the header saw in a step. It is written together with frames.
    pub fn watched(&mut self, row: WatchRow) -> Result<(), RecordingError> {
        if row.values.len() != self.watch_width || !row.time.is_finite() {
            return Err(RecordingError::WrongFrame { step: row.step, bodies: self.bodies });
        }
        self.waiting_watched.push(row);
        if self.waiting_watched.len() >= MOST_FRAMES { self.close() } else { Ok(()) }
    }

    /// The profile of all profiled steps since the very beginning of the run.
    pub fn profiled(&self) -> &Profile {
        &self.profiled
    }

    /// Keeps a state to resume from, after all frames before it.
    pub fn keep(&mut self, state: &KeptState) -> Result<(), RecordingError> {
        self.close()?;
        let at = self.end;
        self.block(Tag::KEPT, &kept::encoded(state))?;
        self.state_bytes = self.end - at;
        let info = StateInfo { step: state.step, time: state.time, hash: state.hash };
        self.index.add_state(at, self.end, self.number, info);
        Ok(())
    }

    /// Changes the end time of the run, s.
    pub fn plan(&mut self, until: f64) -> Result<(), RecordingError> {
        if !until.is_finite() {
            return Err(RecordingError::NotFinite { what: "end", given: until });
        }
        self.index.until = Some(until);
        self.json(Tag::PLAN, &Plan { until })
    }

    /// Writes all waiting frames, and asks the system to put everything on disk.
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        self.close()?;
        self.sync()
    }

    /// Ends the recording: writes how the run ended, and the index.
    pub fn finish(mut self, ending: &Ending) -> Result<(), RecordingError> {
        self.close()?;
        self.index.ending = Some(self.end);
        self.json(Tag::ENDING, ending)?;
        let at = self.end;
        self.block(Tag::INDEX, &self.index.encoded())?;
        self.put(&trailer(at))?;
        self.sync()
    }

    /// Size of the file so far, bytes.
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Size of the last kept state in the file, bytes.
    pub fn state_bytes(&self) -> u64 {
        self.state_bytes
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn new(path: &Path, file: File, header: &Header) -> RecordingWriter {
        RecordingWriter {
            path: path.to_owned(),
            file,
            end: 0,
            number: 0,
            index: Index::default(),
            bodies: header.bodies.len(),
            waiting: Vec::new(),
            waiting_words: 0,
            waiting_accounts: Vec::new(),
            waiting_rows: Vec::new(),
            waiting_watched: Vec::new(),
            watch_width: Watch::width(&header.watches),
            profiled: Profile::default(),
            is_synced: true,
            state_bytes: 0,
        }
    }

    /// Continues from the end of a state's block.
    fn go_on(&mut self, reader: &Reader, block: StateBlock) -> Result<(), RecordingError> {
        self.index = reader.index.clone();
        self.index.ending = None;
        self.index.frames.truncate(block.frames);
        self.index.blocks.retain(|frames| frames.at < block.at);
        self.index.states.retain(|state| state.at <= block.at);
        self.end = block.end;
        self.number = block.next_number;
        self.file.seek(SeekFrom::Start(block.end)).map_err(RecordingError::write(&self.path))?;
        Ok(())
    }

    /// Repeats a change of the end time that was cut off because it came after the state.
    fn plan_again(&mut self) -> Result<(), RecordingError> {
        self.index.until.map_or(Ok(()), |until| self.plan(until))
    }

    /// Writes the waiting frames, accounts, profile rows and what was watched.
    fn close(&mut self) -> Result<(), RecordingError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_words = 0;
        if !waiting.is_empty() {
            let at = self.end;
            self.block(Tag::FRAMES, &frames::encoded(&waiting, self.bodies))?;
            self.index.add_frames(at, &waiting);
        }
        let accounts = std::mem::take(&mut self.waiting_accounts);
        if !accounts.is_empty() {
            self.block(Tag::ACCOUNT, &account::encoded(&accounts))?;
        }
        let rows = std::mem::take(&mut self.waiting_rows);
        if !rows.is_empty() {
            self.block(Tag::PROFILE, &profile::encoded(&rows))?;
        }
        let watched = std::mem::take(&mut self.waiting_watched);
        if !watched.is_empty() {
            self.block(Tag::WATCH, &watch::encoded(&watched, self.watch_width))?;
        }
        Ok(())
    }

    fn json(&mut self, tag: Tag, value: &impl serde::Serialize) -> Result<(), RecordingError> {
        let json =
            serde_json::to_vec(value).map_err(io::Error::from).map_err(RecordingError::write(&self.path))?;
        self.block(tag, &json)
    }

    fn block(&mut self, tag: Tag, content: &[u8]) -> Result<(), RecordingError> {
        let bytes = block(tag, self.number, content);
        debug_assert!(bytes.len() >= BLOCK_HEAD);
        self.put(&bytes)?;
        self.number += 1;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), RecordingError> {
        self.file.write_all(bytes).map_err(RecordingError::write(&self.path))?;
        self.end += bytes.len() as u64;
        self.is_synced = false;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), RecordingError> {
        if !self.is_synced {
            self.file.sync_data().map_err(RecordingError::write(&self.path))?;
            self.is_synced = true;
        }
        Ok(())
    }
}

/// The state to resume from, and its place: the one asked for, or the last complete one.
fn chosen(reader: &Reader, state: Option<usize>) -> Result<(KeptState, StateBlock), RecordingError> {
    let states = &reader.index.states;
    if let Some(number) = state {
        let kept = reader.state(number)?;
        return Ok((kept, states[number]));
    }
    for (number, block) in states.iter().enumerate().rev() {
        match reader.state(number) {
            Ok(kept) => return Ok((kept, *block)),
            Err(RecordingError::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Err(RecordingError::NoState { path: reader.path().to_owned() })
}

/// The profile before a state. A file that is damaged before it is continued all the same: a profile always
/// states how many steps it covers.
fn profiled(reader: &Reader, state: StateBlock) -> Profile {
    ProfileRow::sum(&reader.profile(state.at).unwrap_or_default())
}

/// Locks the file; refuses one that another run is writing to. The system releases the lock however this run
/// ends.
fn lock(file: &File, path: &Path) -> Result<(), RecordingError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(RecordingError::Locked { path: path.to_owned() }),
        // Some network file systems do not support locks: then it is up to the user.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(RecordingError::write(path)(error)),
    }
}

/// The recording file at a path: the file itself, or the one in that folder.
pub fn file_of(named: &Path) -> PathBuf {
    let is_folder = fs::metadata(named).is_ok_and(|data| data.is_dir());
    if is_folder { named.join(super::FILE_NAME) } else { named.to_owned() }
}
