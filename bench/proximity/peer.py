"""Answers questions about a mesh and its copy at many poses with coal or FCL, and times the queries alone.

Coal is timed by its own clock, inside C++; FCL has none, so its time is that of the call, of which Python's share is
some tenths of a microsecond.

Usage: peer.py coal|fcl POINTS TRIANGLES. The files hold raw doubles and unsigned 32-bit integers, three a row. Then, on
standard input, one JSON object a line: {"question": "distance" | "any" | "all", "poses": CSV FILE}; the answer is one
JSON object a line: {"seconds": in all queries together, "answers": [one number a pose]}.
"""

import json
import sys
import time

import numpy

# More contacts than any of the queries has.
ALL = 10**7


class Coal:
    def __init__(self, points, triangles):
        import coal

        self.coal = coal
        self.version = coal.__version__
        self.body = coal.BVHModelOBBRSS()
        self.body.beginModel(len(triangles), len(points))
        self.body.addVertices(points)
        self.body.addTriangles(triangles)
        self.body.endModel()
        self.here = coal.Transform3s()

    def prepare(self, pose):
        return self.coal.Transform3s(matrix(pose[3:]), pose[:3])

    def distance(self, poses):
        request = self.coal.DistanceRequest(True, 0.0, 0.0)
        # Of bodies that touch it is enough to know that they do.
        request.enable_signed_distance = False
        request.enable_timings = True
        results = [self.coal.DistanceResult() for _ in poses]
        ask = self.coal.ComputeDistance(self.body, self.body)
        for pose, result in zip(poses, results):
            ask(self.here, pose, request, result)
        return self.seconds(results), [max(result.min_distance, 0.0) for result in results]

    def collide(self, poses, most):
        request = self.coal.CollisionRequest(self.coal.CollisionRequestFlag.NO_REQUEST, most)
        request.enable_timings = True
        results = [self.coal.CollisionResult() for _ in poses]
        ask = self.coal.ComputeCollision(self.body, self.body)
        for pose, result in zip(poses, results):
            ask(self.here, pose, request, result)
        return self.seconds(results), [result.numContacts() for result in results]

    def seconds(self, results):
        # Its clock counts microseconds of the wall, whatever the name of the field says.
        return 1e-6 * sum(result.timings.user for result in results)


class Fcl:
    def __init__(self, points, triangles):
        import fcl

        self.fcl = fcl
        self.version = fcl.__version__
        self.body = fcl.BVHModel()
        self.body.beginModel(len(points), len(triangles))
        self.body.addSubModel(points, triangles)
        self.body.endModel()
        self.here = fcl.CollisionObject(self.body, fcl.Transform())

    def prepare(self, pose):
        return self.fcl.CollisionObject(self.body, self.fcl.Transform(pose[3:], pose[:3]))

    def distance(self, poses):
        request = self.fcl.DistanceRequest(enable_nearest_points=True)
        results = [self.fcl.DistanceResult() for _ in poses]
        ask, here = self.fcl.distance, self.here
        start = time.perf_counter()
        for pose, result in zip(poses, results):
            ask(here, pose, request, result)
        seconds = time.perf_counter() - start
        return seconds, [max(result.min_distance, 0.0) for result in results]

    def collide(self, poses, most):
        request = self.fcl.CollisionRequest(num_max_contacts=most, enable_contact=False)
        results = [self.fcl.CollisionResult() for _ in poses]
        ask, here = self.fcl.collide, self.here
        found = []
        start = time.perf_counter()
        for pose, result in zip(poses, results):
            found.append(ask(here, pose, request, result))
        seconds = time.perf_counter() - start
        return seconds, found


def matrix(quaternion):
    w, x, y, z = quaternion
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def main(name, points, triangles):
    peer_class = {"coal": Coal, "fcl": Fcl}[name]
    points = numpy.fromfile(points, dtype="<f8").reshape(-1, 3)
    triangles = numpy.fromfile(triangles, dtype="<u4").reshape(-1, 3).astype(numpy.int64)
    start = time.perf_counter()
    peer = peer_class(points, triangles)
    build = time.perf_counter() - start
    reply({"version": peer.version, "build": build})
    prepared = {}
    for line in sys.stdin:
        wanted = json.loads(line)
        file, question = wanted["poses"], wanted["question"]
        if file not in prepared:
            prepared[file] = [peer.prepare(row) for row in numpy.loadtxt(file, delimiter=",", ndmin=2)]
        poses = prepared[file]
        if question == "distance":
            seconds, answers = peer.distance(poses)
        else:
            seconds, answers = peer.collide(poses, 1 if question == "any" else ALL)
        reply({"seconds": seconds, "answers": answers})


def reply(value):
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
