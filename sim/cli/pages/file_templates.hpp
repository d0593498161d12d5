/// The commented files that `orrery new` writes: each runs at once and shows every key that is not obvious, ready to be
/// edited.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::cli {

/// Both are for `platform`, which the file names `named`: a shipped name or a path. `name`: 1 to 64 of a-z, 0-9, '-'.
std::string scenario_template(const std::string& name, const Platform& platform, const std::string& named);
std::string lab_template(const std::string& name, const Platform& platform, const std::string& named);
/// The Markdown beside a lab's file.
std::string lab_prose_template();
std::string layout_template(const std::string& name, const Platform& platform, const std::string& named);

struct NewFile {
  std::string file, name;
};

/// "mine", "mine.yaml" or "folder/mine.yaml": the file; its stem is the name in it. Throws InputError, opened by the
/// command, where the name is none or the file is there.
NewFile new_file(const std::string& wanted, const std::string& command);

/// Writes it, and says what comes next. 0.
int write_new(const NewFile& target, const std::string& text, const std::string& next);

}  // namespace orrery::cli
