#!/bin/sh
# Installs the distribution's packages that are missing, and does nothing when all are there.
# usage: deps.sh GROUP...   (base, dev, mpi)
set -eu

packages=""
for group in "$@"; do
    case $group in
    base) packages="$packages gcc make git pkg-config libc6-dev libcriterion-dev libjemalloc-dev
          libyaml-dev libjansson-dev libgmp-dev libmpfr-dev libgsl-dev libxxhash-dev libssl-dev gnuplot-nox
          fonts-dejavu-core wamerican ca-certificates" ;;
    dev) packages="$packages clang libomp-dev clang-format clang-tidy cppcheck valgrind" ;;
    mpi) packages="$packages libopenmpi-dev openmpi-bin" ;;
    *) echo "deps.sh: unknown group '$group' (base, dev, mpi)" >&2; exit 2 ;;
    esac
done

missing=""
for package in $packages; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root=sudo
echo "deps: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086
$as_root apt-get install -y -q --no-install-recommends $missing
