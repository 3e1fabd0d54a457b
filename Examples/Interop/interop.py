#!/usr/bin/env python3
"""Runs this library against real servers of JSON:API from PyPI.

    python3 Examples/Interop/interop.py setup            # installs the servers, once
    python3 Examples/Interop/interop.py run              # starts them and talks to them
    python3 Examples/Interop/interop.py run --record     # and writes what was said into Recorded/

Further arguments of `run` go to `swift build`. Without Python packages it prints `skipped: …`. The exit code is 1 when a step fails.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent
BUILD = EXAMPLES / ".build" / "interop"
SERVERS = ["django", "fastapi"]


def python(server):
    folder = BUILD / server
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


def setup():
    for server in SERVERS:
        shutil.rmtree(BUILD / server, ignore_errors=True)
        try:
            venv.create(BUILD / server, with_pip=True)
            requirements = HERE / "servers" / f"{server}-requirements.txt"
            install = [python(server), "-m", "pip", "install", "--quiet", "--retries", "1", "--disable-pip-version-check", "-r", requirements]
            subprocess.run(install, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            shutil.rmtree(BUILD / server, ignore_errors=True)
            skip(f"the packages of {server} cannot be installed ({error})")
        print(f"{server}: installed in {BUILD / server}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    for _ in range(200):
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"the server does not start: see {BUILD}")


def talk(server, program, record):
    """Starts a server, runs the program against it, and stops the server. Returns whether all steps are good."""
    port = free_port()
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    with open(BUILD / f"{server}.log", "w") as log:
        command = [python(server), f"{server}_server.py", str(port)]
        process = subprocess.Popen(command, cwd=HERE / "servers", stdout=log, stderr=log, env=environment)
        try:
            wait_for(port, process)
            folder = [str(HERE / "Recorded" / server)] if record else []
            return subprocess.run([program, server, str(port), *folder], env=environment).returncode == 0
        finally:
            process.terminate()
            process.wait()


def run(record, arguments):
    if not all(python(server).exists() for server in SERVERS):
        skip("the servers are not installed; `interop.py setup` does it")
    build = ["swift", "build", "--package-path", str(EXAMPLES), "--product", "interop", *arguments]
    subprocess.run(build, check=True)
    folder = subprocess.run([*build, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    results = [talk(server, Path(folder) / "interop", record) for server in SERVERS]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments == ["setup"]:
        setup()
    elif arguments[:1] == ["run"]:
        rest = arguments[1:]
        run("--record" in rest, [argument for argument in rest if argument != "--record"])
    else:
        sys.exit(__doc__)
