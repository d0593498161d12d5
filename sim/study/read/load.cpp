#include "sim/study/read/load.hpp"

#include "platforms/loader.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery {

Platform load_platform_named(const std::string& name_or_file, const std::string& where, const std::string& beside) {
  return load_platform(data_path("platforms", name_or_file, "yaml", where, beside));
}

LayoutTable load_layouts_named(const std::string& name_or_file, const std::string& where, const std::string& beside) {
  return load_layouts(data_path("scenarios/layouts", name_or_file, "yaml", where, beside));
}

}  // namespace orrery
