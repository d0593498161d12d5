/// Code shared by the two halves of the codec of result.json: kinds by name, and the records that are rows. Private to
/// json_writer.hpp and json_reader.hpp.
///
/// Numbers that JSON does not have (infinite, NaN) become null, and so does a rank that stands for any rank. Records in
/// a row of a table are rows themselves, and so are those for which `always_a_row` holds.
#pragma once

#include <iterator>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "sim/core/result_fields.hpp"
#include "sim/core/words.hpp"

namespace orrery::show {

using Json = nlohmann::ordered_json;

template <class T>
inline constexpr bool always_a_row = false;

namespace json_codec_detail {

/// Kinds by name, and their common name.
template <std::size_t kinds, auto name>
struct NamedBy {
  static constexpr std::size_t count = kinds;
  static constexpr auto name_of = name;
};
inline const char* form_name(NetworkForm form) { return word_of(network_form_words, form); }
inline const char* of_name(ToleranceOf of) { return word_of(tolerance_of_words, of); }
inline const char* against_name(ToleranceAgainst against) { return word_of(tolerance_against_words, against); }

template <class E>
struct Names {};
template <>
struct Names<ResourceKind> : NamedBy<resource_kinds, resource_kind_name> {
  static constexpr const char* kind = "resource kind";
};
template <>
struct Names<PathKind> : NamedBy<path_kinds, path_kind_name> {
  static constexpr const char* kind = "kind of a critical path";
};
template <>
struct Names<Activity> : NamedBy<activities, activity_name> {
  static constexpr const char* kind = "activity";
};
template <>
struct Names<Operation> : NamedBy<operations, operation_name> {
  static constexpr const char* kind = "operation";
};
template <>
struct Names<NetworkForm> : NamedBy<std::size(network_form_words), form_name> {
  static constexpr const char* kind = "form of a network";
};
template <>
struct Names<ToleranceOf> : NamedBy<std::size(tolerance_of_words), of_name> {
  static constexpr const char* kind = "'of' of a tolerance";
};
template <>
struct Names<ToleranceAgainst> : NamedBy<std::size(tolerance_against_words), against_name> {
  static constexpr const char* kind = "'against' of a tolerance";
};

template <class T>
concept Named = requires {
  Names<T>::count;
};
template <class T>
concept Id = std::is_enum_v<T> && !Named<T>;
template <class T>
concept Measure = requires(T measure) {
  measure.si();
};
struct AnyCodec {};
template <class T>
concept HasFields = requires(AnyCodec& codec, T& record) {
  fields(codec, record);
};

/// Whether records are written as objects or as rows.
enum class As { object, row };

}  // namespace json_codec_detail

}  // namespace orrery::show
