/// A CSV file as a table of text: a header line, then rows. Lines that start with '#' and empty lines are ignored;
/// cells are trimmed and may be quoted ("" inside quotes is a quote); lines may end with a carriage return.
///
/// Throws InputError with file and line: no header, a repeated column, a row with more or fewer cells than the header,
/// an open quote, no rows at all. Rows may also be in a YAML file, as a list of sections: [{size_flop: 1e6, ...}, ...].
#pragma once

#include <string>

#include "sim/config/reader.hpp"
#include "sim/core/data_table.hpp"

namespace orrery::config {

DataTable read_csv(const std::string& file);
DataTable parse_csv(const std::string& text, const std::string& file);
DataTable rows_of(const Value& list);

}  // namespace orrery::config
