#include "sim/core/scenario_result.hpp"
