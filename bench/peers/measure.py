"""Runs a command and prints {"seconds", "cpu_seconds", "peak_bytes", "output"} of it as JSON.

A small interpreter is the parent because the peak of a child starts at the size of the process that forked it.
"""

import json
import os
import resource
import subprocess
import sys
import time

start = time.monotonic()
child = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, env=os.environ, check=False)
seconds = time.monotonic() - start
if child.returncode != 0:
    sys.exit(f"{sys.argv[1]} ended with {child.returncode}")
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(
    json.dumps(
        {
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak_bytes": usage.ru_maxrss * 1024,
            "output": child.stdout.strip(),
        }
    )
)
