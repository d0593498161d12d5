/// Kinds of keys that platform and layout files share, and the parts of the platform's declarations. Private to
/// platforms/.
#pragma once

#include <utility>

#include "sim/config/keys.hpp"

namespace orrery::platform_keys_detail {

using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Shape;

inline constexpr double seconds_max = 10.0, count_max = 1u << 22;
inline constexpr double bandwidth_min = 1e3, bandwidth_max = 1e15, speed_min = 1e6, speed_max = 1e18, bytes_max = 1e16;

inline Key time(Key key) {
  key.kind = KeyKind::time;
  key.most = seconds_max;
  return key;
}
inline Key bandwidth(Key key) {
  key.kind = KeyKind::bandwidth;
  key.least = bandwidth_min;
  key.most = bandwidth_max;
  return key;
}
inline Key speed(Key key) {
  key.kind = KeyKind::speed;
  key.least = speed_min;
  key.most = speed_max;
  return key;
}
inline Key data(Key key, double least = 0.0) {
  key.kind = KeyKind::data;
  key.least = least;
  key.most = bytes_max;
  return key;
}
inline Key count(Key key, double least, double most) {
  key.kind = KeyKind::integer;
  key.least = least;
  key.most = most;
  return key;
}
inline Key counts(Key key, double least, double most) {
  key = count(std::move(key), least, most);
  key.shape = Shape::list;
  return key;
}
inline Key section(Key key, const Mapping& inside) {
  key.kind = KeyKind::section;
  key.inside = &inside;
  return key;
}
inline Key sections(Key key, const Mapping& inside) {
  key = section(std::move(key), inside);
  key.shape = Shape::list;
  return key;
}
/// One value, or a list of steps in the size of the message.
inline Key stepped(Key key, const Mapping& step) {
  key.shape = Shape::either;
  key.inside = &step;
  return key;
}

/// `source` and `assumed`, which every section of a platform may have.
const Mapping& provenance();
const Mapping& shared_memory_keys();
const Mapping& gpu_messages_keys();
const Mapping& fabric_keys();
const Mapping& local_work_keys();
const Mapping& striping_keys();
const Mapping& affinity_keys();
const Mapping& routing_keys();
const Mapping& protocol_keys();
const Mapping& topology_keys();

}  // namespace orrery::platform_keys_detail
