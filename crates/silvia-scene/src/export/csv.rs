//! CSV tables (RFC 4180): one row per line, names in quotes where necessary, numbers that read back to the
//! same bits.

use super::choice::Chosen;
use super::output::{FolderFile, NewFolder};
use super::{ExportError, Exported};
use crate::fitting::Fitting;
use crate::recording::{AccountRow, Frame, Header};
use silvia_solid::Vec3;
use silvia_world::RunAccount;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::Path;

const PROPERTIES: (&str, &str) = ("properties.csv", "body,role,mass_kg,centre_x_m,centre_y_m,centre_z_m");
const BODIES: (&str, &str) = (
    "bodies.csv",
    "frame,time_s,body,x_m,y_m,z_m,qw,qx,qy,qz,\
     vx_m_per_s,vy_m_per_s,vz_m_per_s,wx_rad_per_s,wy_rad_per_s,wz_rad_per_s",
);
const CONTACTS: (&str, &str) =
    ("contacts.csv", "frame,time_s,body_a,body_b,x_m,y_m,z_m,nx,ny,nz,gap_m,fx_N,fy_N,fz_N");
const IMPACTS: (&str, &str) =
    ("impacts.csv", "time_s,body_a,body_b,x_m,y_m,z_m,nx,ny,nz,speed_m_per_s,jx_N_s,jy_N_s,jz_N_s");
const ENERGY: (&str, &str) = ("energy.csv", "frame,time_s,kinetic_J,potential_J,total_J");
const STEPS: (&str, &str) = (
    "steps.csv",
    "frame,time_s,step,wall_s,contacts,impacts,islands,pieces,cuts,iterations,residual,smallest_gap_m",
);
/// What is watched, if anything is; its columns follow from the header.
const WATCH: &str = "watch.csv";
/// Where energy and momentum went since the start of the run, if the recording has it.
const ACCOUNT: (&str, &str) = (
    "account.csv",
    "step,time_s,kinetic_gained_J,potential_gained_J,loads_J,driven_J,friction_J,impacts_J,numerical_J,\
     flowed_J,px_gained_N_s,py_gained_N_s,pz_gained_N_s,gravity_x_N_s,gravity_y_N_s,gravity_z_N_s,\
     loads_x_N_s,loads_y_N_s,loads_z_N_s,contacts_x_N_s,contacts_y_N_s,contacts_z_N_s,numerical_x_N_s,\
     numerical_y_N_s,numerical_z_N_s,motion_error",
);
/// What came of the goals of the scene, if it has some; its columns follow from the goals.
const FIT: &str = "fit.csv";
/// The tables: the constant properties first.
const TABLES: [(&str, &str); 6] = [PROPERTIES, BODIES, CONTACTS, IMPACTS, ENERGY, STEPS];

pub(super) fn write(
    chosen: &Chosen<'_>,
    path: &Path,
    replace: bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let mut folder = NewFolder::create(path, replace, |name| {
        [WATCH, FIT, ACCOUNT.0].contains(&name) || TABLES.iter().any(|(ours, _)| *ours == name)
    })?;
    let mut files: Vec<FolderFile> = Vec::with_capacity(TABLES.len());
    for (name, columns) in TABLES {
        let mut file = folder.file(name)?;
        file.put(|out| write!(out, "{columns}\r\n"))?;
        files.push(file);
    }
    let header = chosen.header();
    let names: Vec<String> = header.bodies.iter().map(|body| quoted(&body.name)).collect();
    files[0].put(|out| out.write_all(properties(header, &names).0.as_bytes()))?;
    let mut table = Table::default();
    for (done, frame) in chosen.frames().enumerate() {
        let (number, frame) = frame?;
        for (file, rows) in files[1..].iter_mut().zip([bodies, contacts, impacts, energy, steps]) {
            table.0.clear();
            rows(&mut table, number, &frame, &names);
            file.put(|out| out.write_all(table.0.as_bytes()))?;
        }
        progress(done + 1, chosen.len());
    }
    for file in files {
        folder.close(file)?;
    }
    let accounts = chosen.accounts()?;
    if !accounts.is_empty() {
        let mut file = folder.file(ACCOUNT.0)?;
        file.put(|out| write!(out, "{}\r\n", ACCOUNT.1))?;
        for row in &accounts {
            table.0.clear();
            account(&mut table, row);
            file.put(|out| out.write_all(table.0.as_bytes()))?;
        }
        folder.close(file)?;
    }
    if !header.watches.is_empty() {
        let mut file = folder.file(WATCH)?;
        file.put(|out| write!(out, "{}\r\n", watch_columns(header)))?;
        for row in chosen.watched()? {
            table.0.clear();
            table.whole(row.step).number(row.time);
            row.values.iter().for_each(|&value| {
                table.number(value);
            });
            table.end();
            file.put(|out| out.write_all(table.0.as_bytes()))?;
        }
        folder.close(file)?;
    }
    if let Some(fitting) = chosen.fitting()? {
        let mut file = folder.file(FIT)?;
        file.put(|out| out.write_all(fit(header, &fitting).as_bytes()))?;
        folder.close(file)?;
    }
    Ok(folder.finish(chosen.len()))
}

/// `time_s`, and for each goal columns like `peg depth_m` and `peg clearance_m`; empty where nothing is near.
fn fit(header: &Header, fitting: &Fitting) -> String {
    let mut columns: Vec<(String, &[f64])> = vec![("time_s".to_owned(), &fitting.times)];
    for goal in &fitting.goals {
        let body = &header.bodies[goal.body].name;
        let of = |name: &str, unit: &str| quoted(&format!("{body} {name}_{unit}"));
        columns.extend(goal.curves.iter().map(|curve| (of(curve.name, curve.unit), &curve.values[..])));
        if !goal.clearance.is_empty() {
            columns.push((of("clearance", "m"), &goal.clearance));
        }
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let mut table = Table(names.join(",") + "\r\n");
    for row in 0..fitting.times.len() {
        for (_, values) in &columns {
            match values.get(row).filter(|value| value.is_finite()) {
                Some(&value) => table.number(value),
                None => table.text(""),
            };
        }
        table.end();
    }
    table.0
}

/// `step`, `time_s`, and for each watch columns like `peg fx_N` or `block/peg gap_m`.
fn watch_columns(header: &Header) -> String {
    let mut columns = vec!["step".to_owned(), "time_s".to_owned()];
    for watch in &header.watches {
        let title = header.title_of(watch, "/");
        for [column, unit] in watch.columns() {
            let unit = unit.replace('/', "_per_").replace(' ', "_");
            let unit = if unit.is_empty() { unit } else { format!("_{unit}") };
            columns.push(quoted(&format!("{title} {column}{unit}")));
        }
    }
    columns.join(",")
}

fn properties(header: &Header, names: &[String]) -> Table {
    let mut table = Table::default();
    for (body, name) in header.bodies.iter().zip(names) {
        table.text(name).text(&quoted(&body.role)).number(body.mass).vector(body.centre).end();
    }
    table
}

fn bodies(table: &mut Table, number: usize, frame: &Frame, names: &[String]) {
    for ((name, pose), velocity) in names.iter().zip(&frame.poses).zip(&frame.velocities) {
        let rotation = pose.rotation();
        table.whole(number).number(frame.time).text(name).vector(pose.translation());
        table.number(rotation.w).vector(Vec3::new(rotation.x, rotation.y, rotation.z));
        table.vector(velocity.linear).vector(velocity.angular).end();
    }
}

fn contacts(table: &mut Table, number: usize, frame: &Frame, names: &[String]) {
    for contact in &frame.contacts {
        let [a, b] = contact.bodies.map(|place| &names[place as usize]);
        table.whole(number).number(frame.time).text(a).text(b).vector(contact.point).vector(contact.normal);
        table.number(contact.gap).vector(contact.force).end();
    }
}

fn impacts(table: &mut Table, _: usize, frame: &Frame, names: &[String]) {
    for impact in &frame.impacts {
        let [a, b] = impact.bodies.map(|place| &names[place as usize]);
        table.number(impact.time).text(a).text(b).vector(impact.point).vector(impact.normal);
        table.number(impact.speed).vector(impact.impulse).end();
    }
}

fn energy(table: &mut Table, number: usize, frame: &Frame, _: &[String]) {
    let energy = &frame.energy;
    table.whole(number).number(frame.time);
    table.number(energy.kinetic).number(energy.potential).number(energy.total()).end();
}

fn account(table: &mut Table, row: &AccountRow) {
    let RunAccount { energy, momentum, .. } = &row.account;
    table.whole(row.step).number(row.time).number(energy.kinetic).number(energy.potential);
    table.number(energy.loads).number(energy.driven).number(energy.friction).number(energy.impacts);
    table.number(energy.numerical).number(row.account.flowed());
    table.vector(momentum.change).vector(momentum.gravity).vector(momentum.loads);
    table.vector(momentum.contacts).vector(momentum.numerical);
    match row.motion_error {
        Some(error) => table.number(error),
        None => table.text(""),
    };
    table.end();
}

fn steps(table: &mut Table, number: usize, frame: &Frame, _: &[String]) {
    let cost = &frame.cost;
    table.whole(number).number(frame.time).whole(frame.step).number(cost.wall_seconds);
    table.whole(frame.contacts.len()).whole(frame.impacts.len());
    table.whole(cost.islands).whole(cost.pieces).whole(cost.cuts).whole(cost.iterations);
    table.number(cost.residual).number(cost.smallest_gap).end();
}

/// The rows of a table as text.
#[derive(Default)]
struct Table(String);

impl Table {
    fn text(&mut self, quoted: &str) -> &mut Table {
        self.0.push_str(quoted);
        self.0.push(',');
        self
    }

    /// The shortest decimal number that reads back to the same bits; `inf` for infinity.
    fn number(&mut self, value: f64) -> &mut Table {
        self.shown(format_args!("{value:?},"))
    }

    fn whole(&mut self, value: impl fmt::Display) -> &mut Table {
        self.shown(format_args!("{value},"))
    }

    fn vector(&mut self, value: Vec3) -> &mut Table {
        self.number(value.x).number(value.y).number(value.z)
    }

    fn shown(&mut self, what: fmt::Arguments<'_>) -> &mut Table {
        // Writing into a string cannot fail.
        let _ = self.0.write_fmt(what);
        self
    }

    fn end(&mut self) {
        self.0.pop();
        self.0.push_str("\r\n");
    }
}

/// Quoted if it contains a comma, a quote, a line break, or spaces that a reader might trim.
fn quoted(name: &str) -> String {
    let plain = !name.contains([',', '"', '\r', '\n']) && name.trim() == name;
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// A table of body numbers and names, for the other files.
pub(super) fn numbered_names(header: &Header) -> String {
    let mut table = Table::default();
    table.text("number").text("body").text("role").end();
    for (number, body) in header.bodies.iter().enumerate() {
        table.whole(number).text(&quoted(&body.name)).text(&quoted(&body.role)).end();
    }
    table.0
}
