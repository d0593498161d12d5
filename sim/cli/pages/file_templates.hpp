/// The commented files of `orrery new`: each runs without changes and shows every key that is not obvious, ready to be
/// edited.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::cli {

/// Both are for `platform`, called `named` in the file: a shipped name or path. `name`: 1 to 64 of a-z, 0-9, '-'.
std::string scenario_template(const std::string& name, const Platform& platform, const std::string& named);
std::string lab_template(const std::string& name, const Platform& platform, const std::string& named);
/// The Markdown next to a lab's file.
std::string lab_prose_template();
std::string layout_template(const std::string& name, const Platform& platform, const std::string& named);

struct NewFile {
  std::string file, name;
};

/// "mine", "mine.yaml" or "folder/mine.yaml": the file; its stem is the name in it. Throws InputError that begins with
/// the command if the name is invalid or the file exists.
NewFile new_file(const std::string& wanted, const std::string& command);

/// Writes the file, and prints the next step. Returns 0.
int write_new(const NewFile& target, const std::string& text, const std::string& next);

}  // namespace orrery::cli
