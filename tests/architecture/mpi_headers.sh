#!/usr/bin/env bash
# Where an MPI's wrapper is installed without its headers (Debian: openmpi-bin without libopenmpi-dev), Orrery is configured without an MPI, and says so.
# Usage: mpi_headers.sh SOURCE SCRATCH CMAKE CXX
set -euo pipefail
source=$1 scratch=$2 cmake=$3 cxx=$4
fail() { echo "$*"; exit 1; }
rm -rf "$scratch"
mkdir -p "$scratch/tools" "$scratch/project" "$scratch/headers"
# As Open MPI's and MPICH's answer when they are asked for the command that they would run.
printf '#!/bin/sh\necho "%s -I%s/headers/absent -pthread"\n' "$cxx" "$scratch" >"$scratch/tools/mpicxx"
chmod +x "$scratch/tools/mpicxx"
cat >"$scratch/project/CMakeLists.txt" <<END_OF_FILE
cmake_minimum_required(VERSION 3.25)
project(mpi_headers LANGUAGES CXX)
include($source/cmake/mpi.cmake)
message(STATUS "found: '\${MPI_CXX_FOUND}'")
END_OF_FILE
export PATH=$scratch/tools:$PATH
"$cmake" -S "$scratch/project" -B "$scratch/build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DORRERY_MPICXX="$scratch/tools/mpicxx" -DMPI_CXX_COMPILER="$scratch/tools/mpicxx" \
  >"$scratch/log.txt" 2>&1 || fail "it ends the configuration: $(grep -A 8 'CMake Error' "$scratch/log.txt")"
grep -qF "is here without its headers ('$scratch/headers/absent' is missing)" "$scratch/log.txt" || fail "it does not say what is missing: $(<"$scratch/log.txt")"
grep -q "found: ''" "$scratch/log.txt" || fail "an MPI without headers was found: $(<"$scratch/log.txt")"
