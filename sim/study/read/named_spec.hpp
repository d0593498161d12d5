/// Name and parameters of a kernel, model or compute model as written, each with its place for messages.
#pragma once

#include <string>
#include <vector>

namespace orrery {

struct NamedSpec {
  struct Setting {
    std::string name, value, where;
  };
  std::string name, where;
  std::vector<Setting> settings;
};

}  // namespace orrery
