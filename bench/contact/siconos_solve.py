"""Solves contact problems with Siconos: siconos_solve.py TOLERANCE SECONDS REPEATS SOLVER FILE...

One line of JSON a file: the best time over dense and sparse storage and over the repeats, and the impulses. Each file is
solved in a child process, so that a crash or an endless loop of the library ends that child alone.
"""

import json
import os
import signal
import sys
import time

import numpy as np
import scipy.sparse as sp
import siconos.numerics as sn

# What each solver counts as an iteration differs; these are never reached within the time limit.
MOST_ITERATIONS = {"NSGS": 10_000_000, "ADMM": 10_000_000}


def solve(problem, solver, tolerance, sparse, repeats, limit):
    size = 3 * problem["contacts"]
    w = problem["W"]
    matrix = sp.csc_matrix((w["vals"], (w["rows"], w["cols"])), shape=(size, size))
    if not sparse:
        matrix = np.asfortranarray(matrix.toarray())
    best = None
    for _ in range(repeats):
        posed = sn.FrictionContactProblem(3, matrix, np.array(problem["q"]), np.array(problem["mu"]))
        options = sn.SolverOptions(getattr(sn, "SICONOS_FRICTION_3D_" + solver))
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST_ITERATIONS.get(solver, 10_000)
        r, u = np.zeros(size), np.zeros(size)
        signal.alarm(int(limit) + 1)
        start = time.perf_counter()
        sn.fc3d_driver(posed, r, u, options)
        seconds = time.perf_counter() - start
        if best is None or seconds < best["seconds"]:
            best = {"seconds": seconds, "r": r.tolist()}
    return best


def in_child(problem, solver, tolerance, sparse, repeats, limit):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            answer = json.dumps(solve(problem, solver, tolerance, sparse, repeats, limit))
            with os.fdopen(writer, "w") as pipe:
                pipe.write(answer)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else None


def main():
    tolerance, limit, repeats, solver = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    for file in sys.argv[5:]:
        with open(file) as text:
            problem = json.load(text)
        answers = [in_child(problem, solver, tolerance, sparse, repeats, limit) for sparse in (False, True)]
        print(json.dumps({"file": file, "answers": [a for a in answers if a]}), flush=True)


main()
