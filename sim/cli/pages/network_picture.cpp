#include "sim/cli/pages/network_picture.hpp"

#include "platforms/network_outline.hpp"
#include "sim/show/charts/network_svg.hpp"

namespace orrery::cli {

std::string network_svg(const Platform& platform, const Network& network) {
  return show::network_svg(outline_of(platform, network, *build_routes(platform, network)).outline);
}

}  // namespace orrery::cli
