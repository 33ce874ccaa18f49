"""Runs models in MuJoCo and times every step, on the processor, without what other programs take.

Usage: mujoco_run.py. Says {"version": ...} first. Then, on standard input, one JSON object a line:
{"model": MJCF file, "steps": n, "every": n, "limit": seconds, "states": file to write}. All else is as the model says or MuJoCo's
default. The answer is one JSON object a line: {"seconds": [one a step], "ended": null or why it stopped early}.

The file of states has raw doubles: after each `every` steps, for each free body in its order, the seven numbers of its pose
(x, y, z, qw, qx, qy, qz) and six of its velocity (of its origin along the world's axes, angular along the body's own).
"""

import json
import sys
import time

import mujoco
import numpy


def main():
    reply({"version": mujoco.__version__})
    for line in sys.stdin:
        reply(run(**json.loads(line)))


def run(model, steps, every, limit, states):
    model = mujoco.MjModel.from_xml_path(model)
    data = mujoco.MjData(model)
    for joint in range(model.njnt):
        # The initial velocities are in the model's user data, three a body.
        data.qvel[6 * joint : 6 * joint + 3] = model.body_user[model.jnt_bodyid[joint]]
    seconds, kept, spent, ended = [], [], 0.0, None
    for step in range(1, steps + 1):
        start = time.thread_time()
        mujoco.mj_step(model, data)
        seconds.append(time.thread_time() - start)
        spent += seconds[-1]
        if step % every == 0:
            pose = data.qpos.reshape(-1, 7)
            kept.append(numpy.hstack([pose, data.qvel.reshape(-1, 6)]).copy())
        warned = complaint(data)
        if warned:
            ended = warned
            break
        if spent > limit and step < steps:
            ended = f"its time of {limit:g} s was over"
            break
    numpy.array(kept, dtype="<f8").tofile(states)
    return {"seconds": seconds, "ended": ended}


def complaint(data):
    """What MuJoCo warns of, if it does: memory that ran out, or numbers that blew up."""
    for kind in range(int(mujoco.mjtWarning.mjNWARNING)):
        if data.warning[kind].number > 0:
            return f"MuJoCo warns: {mujoco.mjtWarning(kind).name}"
    return None


def reply(value):
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main()
