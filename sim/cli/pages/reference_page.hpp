/// All keys of platform, layout, scenario and lab files, of kernels and models, from the declarations for the readers.
///
/// Checked  tests/unit/cli/reference_page_test.cpp; docs/reference.md is its Markdown
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/config/keys.hpp"

namespace orrery::cli {

struct FileReference {
  std::string kind;  ///< "platform", "layout", "scenario"
  const config::Mapping* root;
};
const std::vector<FileReference>& file_references();

/// The mappings of a file from the root inwards, without duplicates.
std::vector<const config::Mapping*> mappings_of(const config::Mapping& root);

/// For a terminal of this width.
std::string reference_text(const FileReference& file, std::size_t width);
std::string reference_markdown();

/// "time, 0 s..10 s, or a list of <overhead>[]"
std::string takes_text(const config::Key& key);

/// One line for each key of a kernel or model: name, default, meaning, accepted values.
std::string key_lines(const std::vector<Key>& keys);

}  // namespace orrery::cli
