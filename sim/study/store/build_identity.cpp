#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>

#include "sim/core/version.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::app {

namespace {

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

/// The linker's hash of the executable's content, from its note of type GNU_BUILD_ID; empty where it has none.
std::string build_id_of(const dl_phdr_info& object) {
  for (std::size_t h = 0; h < object.dlpi_phnum; ++h) {
    const auto& header = object.dlpi_phdr[h];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + header.p_vaddr);
    const char* const end = at + header.p_memsz;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* content = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        std::string text;
        for (std::size_t i = 0; i < note.n_descsz && i < 8; ++i)
          text += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
        return text;
      }
      at = content + padded(note.n_descsz);
    }
  }
  return {};
}

/// The executable comes first among the objects of a process.
int take_first(dl_phdr_info* object, std::size_t, void* into) {
  *static_cast<std::string*>(into) = build_id_of(*object);
  return 1;
}

}  // namespace

std::string build_identity() {
  std::string id;
  dl_iterate_phdr(take_first, &id);
  return id.empty() ? version : fmt::format("{} build {}", version, id);
}

}  // namespace orrery::app
