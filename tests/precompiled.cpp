// A source that takes the precompiled headers: without one CMake makes none.
