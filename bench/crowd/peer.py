"""Many copies of a mesh that move, in FCL's dynamic AABB tree manager: which collide, or which are near each other.

Usage: peer.py POINTS TRIANGLES POSES COUNT. The files hold raw doubles and unsigned 32-bit integers: three a point and a
triangle, seven a pose (x, y, z, qw, qx, qy, qz), COUNT poses a step. Then, on standard input, one JSON object a line:
{"reach": null} for collisions or {"reach": metres} for distances. All steps are run anew; the answer is one JSON object a
line, each list with one entry a step: {"move": s, "cull": s, "query": s, "candidates": n, "pairs": [[i, j, distance], ...]}.

"move" is setTransform from Python and the manager's update, "cull" the manager's traversal with a callback that keeps each
pair in a list, "query" the calls of fcl.collide or fcl.distance. Python's own share is some tenths of a microsecond a
pair in each.
"""

import json
import sys
import time

import fcl
import numpy


def main(points, triangles, poses, count):
    count = int(count)
    points = numpy.fromfile(points, dtype="<f8").reshape(-1, 3)
    triangles = numpy.fromfile(triangles, dtype="<u4").reshape(-1, 3).astype(numpy.int64)
    steps = numpy.fromfile(poses, dtype="<f8").reshape(-1, count, 7)
    body = fcl.BVHModel()
    body.beginModel(len(points), len(triangles))
    body.addSubModel(points, triangles)
    body.endModel()
    reply({"version": fcl.__version__})
    for line in sys.stdin:
        reach = json.loads(line)["reach"]
        objects = [fcl.CollisionObject(body, transform(pose)) for pose in steps[0]]
        manager = fcl.DynamicAABBTreeCollisionManager()
        manager.registerObjects(objects)
        manager.setup()
        runs = [run(manager, objects, step, reach) for step in steps]
        reply({key: [one[key] for one in runs] for key in runs[0]})


def run(manager, objects, poses, reach):
    placed = [transform(pose) for pose in poses]
    start = time.perf_counter()
    for thing, place in zip(objects, placed):
        thing.setTransform(place)
    manager.update()
    moved = time.perf_counter()
    pairs = []
    if reach is None:
        manager.collide(pairs, collect)
    else:
        manager.distance(pairs, collect_within(reach))
    culled = time.perf_counter()

    if reach is None:
        ask, request = fcl.collide, fcl.CollisionRequest(num_max_contacts=1, enable_contact=False)
        results = [fcl.CollisionResult() for _ in pairs]
    else:
        ask, request = fcl.distance, fcl.DistanceRequest(enable_nearest_points=True)
        results = [fcl.DistanceResult() for _ in pairs]
    found = []
    asked = time.perf_counter()
    for (a, b), result in zip(pairs, results):
        found.append(ask(a, b, request, result))
    answered = time.perf_counter()

    # Callbacks get objects of their own: they are known by where they are.
    index = {tuple(pose[:3]): i for i, pose in enumerate(poses)}
    name = lambda thing: index[tuple(thing.getTranslation())]
    kept = [
        sorted((name(a), name(b))) + [max(float(answer), 0.0) if reach is not None else 0.0]
        for (a, b), answer in zip(pairs, found)
        if (answer > 0 if reach is None else answer < reach)
    ]
    return {
        "move": moved - start,
        "cull": culled - moved,
        "query": answered - asked,
        "candidates": len(pairs),
        "pairs": sorted(kept),
    }


def collect(a, b, pairs):
    pairs.append((a, b))
    return False


def collect_within(reach):
    """Tells the traversal to go on with all pairs whose boxes are nearer than the reach."""
    answer = (False, reach)

    def collect(a, b, pairs):
        pairs.append((a, b))
        return answer

    return collect


def transform(pose):
    return fcl.Transform(pose[3:], pose[:3])


def reply(value):
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
