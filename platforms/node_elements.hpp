/// Elements of a node by the names that a platform file gives them. Private to platforms/.
///
///   socket-0, gpu-3       one of those that the node type has
///   sockets, gpus         all of them
///   nvswitch, plx-0..3    switches, which exist because they are named
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/config/reader.hpp"

namespace orrery {

class NodeElements {
 public:
  explicit NodeElements(NodeType& type) : type_(type), gpus_(static_cast<std::uint32_t>(type.gpus.size())) {}

  /// Numbers of the elements that a text names; new switches are added if `may_add`.
  std::vector<std::uint32_t> of(const config::Value& value, bool may_add) { return of(value.text(), value, may_add); }
  std::vector<std::uint32_t> of(const std::string& text, const config::Value& value, bool may_add);

 private:
  std::uint32_t element(const std::string& stem, std::uint32_t number, bool numbered, const config::Value& value,
                        bool may_add);
  std::uint32_t existing(const std::string& stem, std::uint32_t number, std::uint32_t count, std::uint32_t first,
                         const config::Value& value) const;

  NodeType& type_;
  std::uint32_t gpus_;
};

}  // namespace orrery
