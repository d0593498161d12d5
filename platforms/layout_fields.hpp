/// The tables of a row of a layout file. Private to platforms/.
#pragma once

#include "platforms/layouts.hpp"
#include "sim/config/fields.hpp"

namespace orrery {

const config::Fields<LayoutRow::Nodes>& place_fields();
/// Also the keys of rows that place each rank, which the reader of such a row handles.
const config::Fields<LayoutRow::Spread>& spread_fields();

}  // namespace orrery
