"""Loads a mesh with trimesh and computes what `silvia inspect` does; prints one line of JSON.

The time is that of the work alone: starting Python and importing trimesh are not in it. Peak memory is the process's.
"""

import json
import sys
import time

import networkx  # noqa: F401  (imported here so that trimesh's lazy import is not in the time)
import numpy
import scipy.sparse.csgraph  # noqa: F401
import scipy.spatial  # noqa: F401
import trimesh


def main(path: str) -> None:
    start = time.perf_counter()
    mesh = trimesh.load_mesh(path, process=True)
    loaded = time.perf_counter()
    euler = mesh.euler_number
    adjacency_angles = mesh.face_adjacency_angles
    convex_sides = mesh.face_adjacency_convex
    values = {
        "triangles": len(mesh.faces),
        "vertices": len(mesh.vertices),
        "sides": len(mesh.edges_unique),
        "closed": bool(mesh.is_watertight),
        "oriented": bool(mesh.is_winding_consistent),
        "components": int(mesh.body_count),
        "genus": int(mesh.body_count - euler // 2),
        "convex": bool(mesh.is_convex),
    }
    # What makes polygonal faces and edge classes: groups of coplanar triangles, and the angle and side of each fold.
    facets = len(mesh.facets)
    folds = int(numpy.count_nonzero(convex_sides & (adjacency_angles > 1e-9)))
    topology = time.perf_counter()
    values |= {
        "volume": float(mesh.volume),
        "area": float(mesh.area),
        "center": mesh.center_mass.tolist(),
        "inertia": mesh.moment_inertia.tolist(),
        "bounds": mesh.bounds.tolist(),
    }
    end = time.perf_counter()
    seconds = {"read": loaded - start, "topology": topology - loaded, "mass": end - topology, "total": end - start}
    extra = {"facets": facets, "convex_folds": folds}
    print(json.dumps({"seconds": seconds, "peak_mib": peak_mib(), "values": values, "extra": extra}))


def peak_mib() -> float:
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return float(line.split()[1]) / 1024
    return float("nan")


if __name__ == "__main__":
    main(sys.argv[1])
