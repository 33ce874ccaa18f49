"""Times of impact by FCL and the IPC Toolkit; the calls alone are timed.

Usage: peer.py fcl POINTS TRIANGLES, with a mesh that rests at the origin and moves as its copy; or peer.py ipctk. The
files hold raw doubles and unsigned 32-bit integers, three a row. Then, on standard input, one JSON object a line:
fcl: {"starts": [poses], "ends": [poses], "solver": "advance" | "sample", "iterations": N, "error": E};
ipctk: {"start": POINTS, "end": POINTS, "triangles": TRIANGLES, "first": number of points of the first mesh}.
The answer is one JSON object a line: {"seconds": [one a query], "times": [one a query; null if free]}.
"""

import json
import sys
import time

import numpy


class Fcl:
    def __init__(self, points, triangles):
        import fcl

        self.fcl = fcl
        self.version = fcl.__version__
        self.points, self.triangles = read(points), read(triangles, numpy.uint32)

    def body(self):
        body = self.fcl.BVHModel()
        body.beginModel(len(self.points), len(self.triangles))
        body.addSubModel(self.points, self.triangles)
        body.endModel()
        return body

    def answer(self, wanted):
        fcl = self.fcl
        body = self.body()
        solvers = {
            "advance": fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
            "sample": fcl.CCDSolverType.CCDC_NAIVE,
        }
        # Its linear motion: the origin goes straight while the body turns at a constant rate.
        request = fcl.ContinuousCollisionRequest(
            num_max_iterations=wanted["iterations"],
            toc_err=wanted["error"],
            ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR,
            ccd_solver_type=solvers[wanted["solver"]],
        )
        here = fcl.Transform()
        seconds, times = [], []
        for start, end in zip(wanted["starts"], wanted["ends"]):
            # Conservative advancement leaves a model behind that answers wrongly from then on.
            body = self.body() if wanted["solver"] == "advance" else body
            fixed = fcl.CollisionObject(body, here)
            moving = fcl.CollisionObject(body, transform(fcl, start))
            end, result = transform(fcl, end), fcl.ContinuousCollisionResult()
            begin = time.perf_counter()
            fcl.continuousCollide(fixed, here, moving, end, request, result)
            seconds.append(time.perf_counter() - begin)
            times.append(result.time_of_contact if result.is_collide else None)
        return seconds, times


class Ipctk:
    def __init__(self):
        import ipctk

        self.ipctk = ipctk
        self.version = ipctk.__version__

    def answer(self, wanted):
        ipctk = self.ipctk
        start, end = read(wanted["start"]), read(wanted["end"])
        faces = read(wanted["triangles"], numpy.uint32).astype(numpy.int32)
        mesh = ipctk.CollisionMesh(start, ipctk.edges(faces), faces)
        # Each sheet is asked about itself too: only a function of Python's could say which vertices to leave out, and be slower.
        begin = time.perf_counter()
        candidates = ipctk.Candidates()
        candidates.build(mesh, start, end)
        step = candidates.compute_collision_free_stepsize(mesh, start, end)
        return [time.perf_counter() - begin], [step if step < 1 else None]


def transform(fcl, pose):
    return fcl.Transform(numpy.array(pose[3:]), numpy.array(pose[:3]))


def read(file, kind=numpy.float64):
    return numpy.fromfile(file, dtype=kind).reshape(-1, 3)


def reply(value):
    print(json.dumps(value), flush=True)


def main(name, *files):
    peer = {"fcl": Fcl, "ipctk": Ipctk}[name](*files)
    reply({"version": peer.version})
    for line in sys.stdin:
        seconds, times = peer.answer(json.loads(line))
        reply({"seconds": seconds, "times": times})


if __name__ == "__main__":
    main(*sys.argv[1:])
