/// Kinds of file that `orrery check` knows. Each kind registers itself, like the commands:
///
///   const bool entered = file_kinds().add(
///       {.name = "platform", .summary = "...", .keys = {"node-types"}, .check = ...});
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/catalogue.hpp"

namespace orrery {

struct FileKind {
  std::string name;                    ///< "platform"
  std::string summary;                 ///< how to recognize the file, one line
  std::vector<std::string> keys = {};  ///< a YAML file with one of these keys at the top is of this kind
  std::string section = {};            ///< or: a YAML file in which this key holds keys and values, not a list
  std::string extension = {};          ///< or: a file with this ending (".2dist"), not read as YAML
  /// Reads the whole file as a run would; returns a description, or throws an orrery::Error.
  std::function<std::string(const std::string& path)> check;
};

Catalogue<FileKind>& file_kinds();

/// The kind of a file. Throws InputError if it is none of these.
const FileKind& kind_of(const std::string& path);

/// Throws InputError for a file of another known format.
void require_scenario_kind(const std::string& path);

}  // namespace orrery
