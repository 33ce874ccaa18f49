//! Grids for ParaView: arrays found by their offsets.

use crate::{all, common, frames};
use silvia_scene::export::Format;
use silvia_solid::Vec3;
use std::path::Path;

/// A grid file: its XML, and the bytes after the underscore.
struct Grid(String, Vec<u8>);

impl Grid {
    fn read(path: &Path) -> Grid {
        let bytes = std::fs::read(path).unwrap();
        let marker = b"<AppendedData encoding=\"raw\">\n_";
        let start = bytes.windows(marker.len()).position(|w| w == marker).unwrap() + marker.len();
        Grid(String::from_utf8(bytes[..start].to_vec()).unwrap(), bytes[start..].to_vec())
    }

    fn attribute(&self, before: &str, name: &str) -> usize {
        let from = self.0.find(before).unwrap_or_else(|| panic!("no {before}"));
        let rest = &self.0[from..];
        let value = &rest[rest.find(&format!("{name}=\"")).unwrap() + name.len() + 2..];
        value[..value.find('"').unwrap()].parse().unwrap()
    }

    fn array<const N: usize>(&self, name: &str) -> Vec<[u8; N]> {
        let offset = self.attribute(&format!("Name=\"{name}\""), "offset");
        let length = u64::from_le_bytes(self.1[offset..offset + 8].try_into().unwrap()) as usize;
        self.1[offset + 8..offset + 8 + length].chunks_exact(N).map(|c| c.try_into().unwrap()).collect()
    }

    fn vectors(&self, name: &str) -> Vec<Vec3> {
        let numbers: Vec<f64> = self.array(name).into_iter().map(f64::from_le_bytes).collect();
        numbers.chunks_exact(3).map(Vec3::from_slice).collect()
    }
}

#[test]
fn grids_hold_all_triangles_in_the_world_and_their_velocities() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grids");
    let done = all(&sample, Format::Vtu, &path);
    assert_eq!((done.frames, done.files), (51, 2 * 51 + 3));
    let bodies = &sample.header().bodies;
    for (number, frame) in frames(&sample).iter().enumerate().step_by(25) {
        let grid = Grid::read(&path.join(format!("bodies_{number:04}.vtu")));
        let (points, velocities) = (grid.vectors("Points"), grid.vectors("velocity"));
        let corners: Vec<i64> = grid.array("connectivity").into_iter().map(i64::from_le_bytes).collect();
        let owners: Vec<i32> = grid.array("body").into_iter().map(i32::from_le_bytes).collect();
        let triangles: usize = bodies.iter().map(|body| body.mesh.triangles.len()).sum();
        assert_eq!(grid.attribute("<Piece", "NumberOfCells"), triangles);
        assert_eq!(grid.attribute("<Piece", "NumberOfPoints"), points.len());
        assert_eq!((corners.len(), owners.len(), velocities.len()), (3 * triangles, triangles, points.len()));
        let (mut cell, mut first) = (0, 0);
        for (place, body) in bodies.iter().enumerate() {
            let (pose, twist) = (&frame.poses[place], &frame.velocities[place]);
            for triangle in &body.mesh.triangles {
                assert_eq!(owners[cell], place as i32);
                for (k, &corner) in triangle.iter().enumerate() {
                    let index = corners[3 * cell + k] as usize;
                    assert_eq!(index, first + corner as usize);
                    let expected = pose.transform_point(body.mesh.points[corner as usize]);
                    assert_eq!(points[index], expected);
                    // Rigid motion, from the centre of mass in the world.
                    let arm = expected - pose.transform_point(body.centre);
                    let moving = twist.linear + twist.angular.cross(arm);
                    assert!((velocities[index] - moving).length() < 1e-12 * (1.0 + moving.length()));
                }
                cell += 1;
            }
            first += body.mesh.points.len();
        }
        assert!(grid.1.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
    }
}

#[test]
fn contacts_are_a_cloud_of_points_with_forces_and_collections_have_the_times() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    all(&sample, Format::Vtu, folder.path());
    let mut seen = 0;
    for (number, frame) in frames(&sample).iter().enumerate() {
        let path = folder.path().join(format!("contacts_{number:04}.vtu"));
        // A grid without points breaks meshio: one for all, of another name, is for ParaView.
        assert_eq!(path.is_file(), !frame.contacts.is_empty());
        let path = if path.is_file() { path } else { folder.path().join("no_contacts.vtu") };
        let grid = Grid::read(&path);
        assert_eq!(grid.attribute("<Piece", "NumberOfPoints"), frame.contacts.len());
        let forces: Vec<Vec3> = frame.contacts.iter().map(|contact| contact.force).collect();
        let points: Vec<Vec3> = frame.contacts.iter().map(|contact| contact.point).collect();
        let gaps: Vec<f64> = frame.contacts.iter().map(|contact| contact.gap).collect();
        assert_eq!((grid.vectors("force"), grid.vectors("Points")), (forces, points));
        assert_eq!(grid.array("gap").into_iter().map(f64::from_le_bytes).collect::<Vec<_>>(), gaps);
        seen += frame.contacts.len();
    }
    assert!(seen > 10 && folder.path().join("no_contacts.vtu").is_file());
    for series in ["bodies", "contacts"] {
        let text = std::fs::read_to_string(folder.path().join(format!("{series}.pvd"))).unwrap();
        let listed: Vec<(f64, &str)> = text
            .lines()
            .filter_map(|line| line.strip_prefix("<DataSet timestep=\""))
            .map(|rest| (rest.split('"').next().unwrap().parse().unwrap(), rest.split('"').nth(6).unwrap()))
            .collect();
        let expected: Vec<f64> = frames(&sample).iter().map(|frame| frame.time).collect();
        assert_eq!(listed.iter().map(|(time, _)| *time).collect::<Vec<_>>(), expected);
        assert!(listed.iter().all(|(_, file)| folder.path().join(file).is_file()), "{listed:?}");
    }
}
