/// What most tests include, compiled once for all of them; a test still includes what it uses.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/engine/engine.hpp"
#include "tests/support/relative.hpp"
