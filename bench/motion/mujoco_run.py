"""Runs models of one body in MuJoCo and times all steps together, on the processor, without what other programs take.

Usage: mujoco_run.py. Says {"version": ...} first. Then, on standard input, one JSON object a line: {"model": MJCF text, "steps": n,
"velocity": [6 numbers: linear along the world's axes, angular along the body's]}. The answer is one JSON object a line:
{"seconds": of all steps, "pose": [x, y, z, qw, qx, qy, qz], "velocity": [6 numbers], "ended": null or what MuJoCo warned of}.
"""

import json
import sys
import time

import mujoco


def main():
    reply({"version": mujoco.__version__})
    for line in sys.stdin:
        reply(run(**json.loads(line)))


def run(model, steps, velocity):
    model = mujoco.MjModel.from_xml_string(model)
    data = mujoco.MjData(model)
    data.qvel[:] = velocity
    start = time.thread_time()
    mujoco.mj_step(model, data, steps)
    seconds = time.thread_time() - start
    warned = [kind for kind in range(int(mujoco.mjtWarning.mjNWARNING)) if data.warning[kind].number > 0]
    ended = mujoco.mjtWarning(warned[0]).name if warned else None
    return {"seconds": seconds, "pose": list(data.qpos), "velocity": list(data.qvel), "ended": ended}


def reply(value):
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main()
