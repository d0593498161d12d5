/// The keys of files, declared once (sim/core/keys.hpp): readers take ranges, defaults and words from there.
///
///   const Mapping& link_keys() {
///     static const Mapping mapping{.name = "links[]", .about = "a cable between two switches", .keys = {
///       {.name = "latency", .kind = KeyKind::time, .most = 10.0, .example = "0.2us", .about = "of the cable"},
///       {.name = "lanes", .kind = KeyKind::integer, .least = 1, .most = 64, .fallback = "1", ...}}};
///     return mapping;
///   }
///   const Section file = document.root(link_keys());
///   file.seconds("latency");           // within 0 s..10 s
///   file.value("lanes").integer();     // 1 if missing in the file
///   file.text("colour");               // std::logic_error: only declared keys can be read
///
/// A mapping is a tree: `inside` declares the keys of a section, or of each section of a list. Everything read below a
/// declared root is therefore declared, too. For the other direction, tests/unit/cli/reference_page_test.cpp puts the
/// example of every key into a file and reads it: no reader refuses a declared key.
#pragma once

#include "sim/core/keys.hpp"

namespace orrery::config {

using orrery::Key;
using orrery::KeyKind;
using orrery::Mapping;
using orrery::Shape;

/// A section with any names and values.
const Mapping& anything();

}  // namespace orrery::config
