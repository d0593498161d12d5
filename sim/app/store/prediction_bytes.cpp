#include "sim/app/store/prediction_bytes.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace orrery::app {

namespace {

struct Writer {
  std::string bytes;
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(const T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes += text;
  }
  std::size_t count(std::size_t size) {
    (*this)(size);
    return size;
  }
};

struct Reader {
  const std::string& bytes;
  std::size_t at = 0;
  const char* take(std::size_t size) {
    if (size > bytes.size() - at) throw std::runtime_error("a prediction was cut short");
    at += size;
    return bytes.data() + at - size;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { std::memcpy(&value, take(sizeof value), sizeof value); }
  void operator()(std::string& text) {
    const std::size_t size = count(0);
    text.assign(take(size), size);
  }
  std::size_t count(std::size_t) {
    std::size_t size = 0;
    (*this)(size);
    if (size > bytes.size() - at) throw std::runtime_error("a prediction was cut short");
    return size;
  }
};

/// The one list of what a prediction holds, for both ways.
template <class Visitor, class Predictions>
void visit(Visitor& v, Predictions& all) {
  const auto each = [&](auto& list, const auto& one) {
    const std::size_t size = v.count(list.size());
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(list)>>) list.resize(size);
    for (auto& element : list) one(element);
  };
  each(all, [&](auto& p) {
    v(p.model), v(p.mode), v(p.time), v(p.computation), v(p.overlap), v(p.fitted), v(p.of_run), v(p.wall_s);
    each(p.terms, [&](auto& term) { v(term.text), v(term.cost), v(term.repeat); });
    each(p.notes, [&](auto& note) { v(note); });
  });
}

}  // namespace

std::string to_bytes(const std::vector<Prediction>& predictions) {
  Writer writer;
  visit(writer, predictions);
  return std::move(writer.bytes);
}

std::vector<Prediction> predictions_from(const std::string& bytes) {
  Reader reader{bytes};
  std::vector<Prediction> predictions;
  visit(reader, predictions);
  return predictions;
}

}  // namespace orrery::app
