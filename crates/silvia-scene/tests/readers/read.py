"""Reads what was exported with readers that are not ours, and compares it with the recording.

Usage: read.py FOLDER, in which there are expected.json, csv/, vtu/, run.glb and run.mcap. Any difference ends it badly.
"""

import csv
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import meshio
import numpy
import pygltflib
import trimesh
from mcap.reader import make_reader

# Relative rounding of the few operations that place a point.
ROUNDING = 1e-14
# Of single precision, in which glTF holds its numbers, with a few operations on them.
SINGLE = 1e-6


def main(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    for name, check in [("csv", tables), ("vtu", grids), ("glb", scene), ("mcap", messages)]:
        check(folder, expected)
        print(f"{name}: read by others as recorded")


def tables(folder: Path, expected: dict) -> None:
    """Python's own csv module, whose default dialect is RFC 4180's."""
    with open(folder / "csv/bodies.csv", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    bodies = expected["bodies"]
    assert len(rows) == len(expected["frames"]) * len(bodies)
    for i, row in enumerate(rows):
        frame, body = expected["frames"][i // len(bodies)], i % len(bodies)
        assert row["body"] == bodies[body]["name"], row
        assert float(row["time_s"]) == frame["time"]
        assert [float(row[c]) for c in ("x_m", "y_m", "z_m")] == frame["translations"][body]
        assert [float(row[c]) for c in ("qx", "qy", "qz", "qw")] == frame["rotations"][body]


def grids(folder: Path, expected: dict) -> None:
    bodies = expected["bodies"]
    owner = numpy.repeat(range(len(bodies)), [len(body["triangles"]) for body in bodies])
    owner_of_point = numpy.repeat(range(len(bodies)), [len(body["points"]) for body in bodies])
    for series in ("bodies", "contacts"):
        collection = ElementTree.parse(folder / f"vtu/{series}.pvd").getroot()
        assert collection.get("type") == "Collection"
        listed = list(collection.iter("DataSet"))
        assert [float(item.get("timestep")) for item in listed] == [f["time"] for f in expected["frames"]]
        for item, frame in zip(listed, expected["frames"]):
            if series == "contacts" and not frame["contacts"]:
                assert item.get("file") == "no_contacts.vtu"  # meshio has no grids without cells
                continue
            grid = meshio.read(folder / "vtu" / item.get("file"))
            if series == "contacts":
                points = [contact["point"] for contact in frame["contacts"]]
                forces = [contact["force"] for contact in frame["contacts"]]
                assert numpy.array_equal(grid.points, points) and grid.cells[0].type == "vertex"
                assert numpy.array_equal(grid.point_data["force"], forces)
                assert list(grid.point_data["gap"].ravel()) == [c["gap"] for c in frame["contacts"]]
                continue
            assert [block.type for block in grid.cells] == ["triangle"]
            assert numpy.array_equal(grid.cell_data["body"][0].ravel(), owner)
            speeds = [numpy.linalg.norm(v) for v in frame["velocities"]]
            assert numpy.allclose(grid.cell_data["speed"][0].ravel(), numpy.array(speeds)[owner], rtol=ROUNDING, atol=0)
            placed = [
                numpy.array(body["points"]) @ matrix(turn).T + at
                for body, turn, at in zip(bodies, frame["rotations"], frame["translations"])
            ]
            size = numpy.abs(numpy.concatenate(placed)).max()
            assert numpy.abs(grid.points - numpy.concatenate(placed)).max() < 10 * ROUNDING * size
            # The mean over the ball's points is its middle, and moves as its centre of mass does.
            ball = owner_of_point == expected["ball"]
            mean = grid.point_data["velocity"][ball].mean(axis=0)
            assert numpy.allclose(mean, frame["velocities"][expected["ball"]], rtol=0, atol=1e-12), mean
            first = numpy.cumsum([0] + [len(body["points"]) for body in bodies])
            corners = numpy.concatenate([numpy.array(b["triangles"]) + n for b, n in zip(bodies, first)])
            assert numpy.array_equal(grid.cells[0].data, corners)


def scene(folder: Path, expected: dict) -> None:
    path = folder / "run.glb"
    bodies, frames = expected["bodies"], expected["frames"]
    # glTF's y is up, ours z.
    up = numpy.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    seen = trimesh.load_scene(path)
    for place, body in enumerate(bodies):
        transform, geometry = seen.graph.get(body["name"])
        turn, at = frames[0]["rotations"][place], frames[0]["translations"][place]
        assert numpy.allclose(transform[:3, :3], up @ matrix(turn), rtol=0, atol=SINGLE), body["name"]
        assert numpy.allclose(transform[:3, 3], up @ at, rtol=0, atol=SINGLE)
        mesh = seen.geometry[geometry]
        assert len(mesh.faces) == len(body["triangles"])
        corners = numpy.array(body["points"])[numpy.array(body["triangles"])]
        assert numpy.allclose(mesh.triangles, corners, rtol=SINGLE, atol=1e-9)
        # Normals that are stored lean to the side of the triangles' own.
        sides = numpy.einsum("tcx,tx->tc", mesh.vertex_normals[mesh.faces], mesh.face_normals)
        assert (sides > 0.8).all(), sides.min()

    file = pygltflib.GLTF2.load_binary(str(path))
    blob = file.binary_blob()
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}

    def numbers(index: int) -> numpy.ndarray:
        accessor = file.accessors[index]
        view = file.bufferViews[accessor.bufferView]
        count = accessor.count * width[accessor.type]
        offset = view.byteOffset + (accessor.byteOffset or 0)
        return numpy.frombuffer(blob, "<f4", count, offset).reshape(accessor.count, -1)

    (animation,) = file.animations
    moving = {body["name"] for body in bodies if body["moves"]}
    assert {file.nodes[channel.target.node].name for channel in animation.channels} == moving
    for channel in animation.channels:
        sampler = animation.samplers[channel.sampler]
        times, values = numbers(sampler.input).ravel(), numbers(sampler.output)
        assert numpy.array_equal(times, numpy.array([frame["time"] for frame in frames], "f4"))
        assert file.accessors[sampler.input].max == [times[-1]]
        name = file.nodes[channel.target.node].name
        place = next(i for i, body in enumerate(bodies) if body["name"] == name)
        if channel.target.path == "translation":
            wanted = numpy.array([frame["translations"][place] for frame in frames], "f4")
            assert numpy.array_equal(values, wanted)
        else:
            for value, frame in zip(values, frames):
                assert numpy.allclose(matrix(value), matrix(frame["rotations"][place]), rtol=0, atol=SINGLE)
            assert (numpy.einsum("ij,ij->i", values[1:], values[:-1]) > 0).all(), "the short way"


def messages(folder: Path, expected: dict) -> None:
    bodies, frames = expected["bodies"], expected["frames"]
    impacts = sum(frame["impacts"] for frame in frames)
    wanted = {"/bodies": 1, "/impacts": impacts}
    wanted |= {topic: len(frames) for topic in ("/tf", "/forces", "/contacts", "/energy", "/account", "/step")}
    found: dict[str, list] = {topic: [] for topic in wanted}
    with open(folder / "run.mcap", "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        statistics = summary.statistics
        counts = {summary.channels[i].topic: n for i, n in statistics.channel_message_counts.items()}
        assert counts == wanted, counts
        assert (statistics.message_start_time, statistics.message_end_time) == (0, round(1e9 * frames[-1]["time"]))
        for schema, channel, message in reader.iter_messages():
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            assert json.loads(schema.data)["type"] == "object"
            found[channel.topic].append((schema.name, message.log_time, json.loads(message.data)))
    for (name, time, content), frame in zip(found["/tf"], frames, strict=True):
        assert (name, time) == ("foxglove.FrameTransforms", round(1e9 * frame["time"]))
        for place, transform in enumerate(content["transforms"]):
            assert transform["child_frame_id"] == bodies[place]["name"]
            assert [transform["translation"][axis] for axis in "xyz"] == frame["translations"][place]
            assert [transform["rotation"][axis] for axis in "xyzw"] == frame["rotations"][place]
    for (_, _, content), frame in zip(found["/contacts"], frames, strict=True):
        forces = [[contact["force_N"][axis] for axis in "xyz"] for contact in content["contacts"]]
        assert forces == [contact["force"] for contact in frame["contacts"]]
    ((name, _, content),) = found["/bodies"]
    assert name == "foxglove.SceneUpdate"
    for entity, body in zip(content["entities"], bodies, strict=True):
        (triangles,) = entity["triangles"]
        assert triangles["indices"] == [corner for triangle in body["triangles"] for corner in triangle]
        assert [[point[axis] for axis in "xyz"] for point in triangles["points"]] == body["points"]


def matrix(rotation) -> numpy.ndarray:
    """Of a unit quaternion x, y, z, w."""
    x, y, z, w = map(float, rotation)
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
