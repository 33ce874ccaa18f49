"""Answers files of elementary queries with ipc-toolkit, and times them.

Usage: peer.py REPEATS MOST FILE... Each file holds lines `kind,label,24 numbers`, of which the first MOST are asked. One
JSON object is printed for each file: the version, the mean microseconds of a call that does next to nothing, and for each
method the mean microseconds a query (best of REPEATS runs) and the answers.
"""

import json
import sys
import time

import ipctk
import numpy

METHODS = {"additive": ipctk.AdditiveCCD(), "tight inclusion": ipctk.TightInclusionCCD(max_iterations=10**6)}


def main():
    repeats, most = int(sys.argv[1]), int(sys.argv[2])
    # It warns about every query that touches at the start.
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    for file in sys.argv[3:]:
        queries = read(file)[:most]
        methods = {name: run(method, queries, repeats) for name, method in METHODS.items()}
        print(json.dumps({"version": ipctk.__version__, "call_us": call_us(), "methods": methods}), flush=True)


def read(file):
    queries = []
    with open(file) as lines:
        for line in lines:
            if not line.strip() or line.startswith("#"):
                continue
            kind, _, *numbers = line.split(",")
            points = numpy.array([float(x) for x in numbers]).reshape(8, 3)
            queries.append((kind == "ee", [point.copy() for point in points]))
    return queries


def run(method, queries, repeats):
    # Slow methods get one run: what they lose by that is nothing to their time.
    best, answers = float("inf"), []
    for _ in range(repeats):
        answers = []
        start = time.perf_counter()
        for edges, points in queries:
            ask = method.edge_edge_ccd if edges else method.point_triangle_ccd
            answers.append(ask(*points)[0])
        taken = time.perf_counter() - start
        best = min(best, taken)
        if taken > 5.0:
            break
    return {"mean_us": 1e6 * best / len(queries), "answers": answers}


def call_us():
    calls = 20000
    p, q = numpy.zeros(3), numpy.ones(3)
    start = time.perf_counter()
    for _ in range(calls):
        ipctk.point_point_distance(p, q)
    return 1e6 * (time.perf_counter() - start) / calls


main()
