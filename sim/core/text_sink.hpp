/// The destination of a long text, piece by piece, so that it is never whole in memory: a file, a string, a terminal.
#pragma once

#include <functional>
#include <string_view>

namespace orrery {

using TextSink = std::function<void(std::string_view)>;
/// Writes a whole text into a sink.
using TextWriter = std::function<void(const TextSink&)>;

}  // namespace orrery
