#!/bin/sh
# Starts the Docker daemon where it is not up and waits until it answers. Needs root and an installed engine.
# Without --iptables and --bridge it needs no kernel module: our containers have no network anyway.
# Usage: tools/start-docker.sh [LOG]
set -eu
log=${1:-/var/log/featurearc-dockerd.log}

answers() { docker version >/dev/null 2>&1; }

if answers; then
  echo "docker: already running"
  exit 0
fi
command -v dockerd >/dev/null || { echo "docker: dockerd is not installed (Debian: apt-get install docker.io)" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "docker: only root can start the daemon" >&2; exit 1; }

# A daemon that was killed leaves its pid file, at which the next one stumbles.
pidfile=/var/run/docker.pid
if [ -e "$pidfile" ] && ! kill -0 "$(cat "$pidfile")" 2>/dev/null; then rm -f "$pidfile"; fi

# overlay2 is faster; vfs works on any file system.
for driver in overlay2 vfs; do
  setsid dockerd --iptables=false --ip6tables=false --bridge=none --storage-driver="$driver" </dev/null >"$log" 2>&1 &
  daemon=$!
  waited=0
  while [ "$waited" -lt 60 ]; do
    if answers; then
      echo "docker: started ($driver), log in $log"
      exit 0
    fi
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.5
    waited=$((waited + 1))
  done
  kill "$daemon" 2>/dev/null || true
done
echo "docker: the daemon did not come up; last lines of $log:" >&2
tail -n 20 "$log" >&2
exit 1
