"""Finds the overlapping pairs of boxes with ipctk, and times building and detection alone.

A box is handed over as an edge between two opposite corners, so that the box of the edge is the box; no two edges share a
corner, so none of their pairs is left out. Without faces, the candidates are pairs of edges: pairs of boxes.

On standard input, one JSON object a line: {"method": NAME, "boxes": COUNT, "frames": FILE}. The file holds raw doubles, six
a box (least corner, greatest corner), frame after frame. The answer is one JSON object a line: {"seconds": [one number a
frame], "pairs": [likewise]}.
"""

import json
import sys
import time

import ipctk
import numpy

NO_FACES = numpy.zeros((0, 3), dtype=numpy.int32, order="F")


def answer(question):
    count = question["boxes"]
    frames = numpy.fromfile(question["frames"]).reshape(-1, count, 6)
    edges = numpy.asfortranarray(numpy.arange(2 * count, dtype=numpy.int32).reshape(count, 2))
    method = getattr(ipctk, question["method"])()
    seconds, pairs = [], []
    for frame in frames:
        corners = numpy.asfortranarray(frame.reshape(-1, 3))
        start = time.perf_counter()
        method.build(corners, edges, NO_FACES)
        found = method.detect_collision_candidates()
        seconds.append(time.perf_counter() - start)
        pairs.append(len(found))
    return {"seconds": seconds, "pairs": pairs}


def main():
    print(json.dumps({"version": ipctk.__version__, "threads": ipctk.get_num_threads()}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()
