// PDF and PNG by Cairo; only here is it included.
#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <numbers>

#include "sim/core/error.hpp"
#include "sim/show/charts/drawing.hpp"

namespace orrery::show::paper {

namespace {

constexpr double dots_per_inch = 600.0, points_per_inch = 72.0;

struct Free {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Free>;
using Context = std::unique_ptr<cairo_t, Free>;

cairo_status_t append(void* into, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void require(cairo_status_t status, const char* what) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw InputError("{}: the picture cannot be drawn ({}). Choose --svg?", what, cairo_status_to_string(status));
}

void paint(cairo_t* to, const Pen& pen, const std::optional<double>& fill) {
  if (fill) {
    cairo_set_source_rgb(to, *fill, *fill, *fill);
    cairo_fill_preserve(to);
  }
  if (pen.width > 0.0) {
    cairo_set_source_rgb(to, pen.grey, pen.grey, pen.grey);
    cairo_set_line_width(to, pen.width);
    cairo_set_dash(to, pen.dashes.data(), static_cast<int>(pen.dashes.size()), 0.0);
    cairo_stroke_preserve(to);
  }
  cairo_new_path(to);
}

void draw(cairo_t* to, const Path& path) {
  for (const Coordinates& place : path.places) cairo_line_to(to, place.x, place.y);
  if (path.closed) cairo_close_path(to);
  paint(to, path.pen, path.fill);
}

void draw(cairo_t* to, const Disc& disc) {
  cairo_arc(to, disc.centre.x, disc.centre.y, disc.radius, 0.0, 2.0 * std::numbers::pi);
  paint(to, disc.pen, disc.fill);
}

void draw(cairo_t* to, const Words& words) {
  cairo_save(to);
  cairo_translate(to, words.at.x, words.at.y);
  cairo_rotate(to, words.angle * std::numbers::pi / 180.0);
  cairo_set_font_size(to, words.size);
  cairo_set_source_rgb(to, 0.0, 0.0, 0.0);
  cairo_text_extents_t extents;
  cairo_text_extents(to, words.text.c_str(), &extents);
  const double width = words_width(words.text, words.size);
  // A substituted font that is wider than the one the picture was laid out with.
  if (extents.x_advance > 1.02 * width) cairo_scale(to, width / extents.x_advance, 1.0);
  const double set = extents.x_advance;
  cairo_move_to(to, words.anchor == Anchor::start ? 0.0 : words.anchor == Anchor::end ? -set : -set / 2.0, 0.0);
  cairo_show_text(to, words.text.c_str());
  cairo_new_path(to);  // the pen is left behind the last letter
  cairo_restore(to);
}

void draw_all(cairo_surface_t* surface, const Drawing& drawing, double scale, const char* what) {
  const Context context(cairo_create(surface));
  cairo_t* to = context.get();
  cairo_scale(to, scale, scale);
  cairo_set_source_rgb(to, 1.0, 1.0, 1.0);
  cairo_paint(to);
  cairo_select_font_face(to, "Liberation Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  for (const auto& shape : drawing.shapes) std::visit([&](const auto& one) { draw(to, one); }, shape);
  require(cairo_status(to), what);
}

/// The check sum that ends a chunk of PNG (ISO 15948, annex D).
std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

std::string four_bytes(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string png_chunk(std::string_view kind, std::string_view bytes) {
  const std::string chunk = std::string(kind) + std::string(bytes);
  return four_bytes(static_cast<std::uint32_t>(bytes.size())) + chunk + four_bytes(crc_of(chunk));
}

/// Words for readers of the file, in UTF-8; none where there are none.
std::string png_words(const std::string& key, const std::string& words) {
  return words.empty() ? "" : png_chunk("iTXt", key + std::string(5, '\0') + words);
}

/// Cairo does not say how large a dot is; LaTeX and word processors ask.
std::string with_metadata(std::string png, const Drawing& drawing) {
  constexpr std::size_t after_header = 8 + 25;  // signature, IHDR
  constexpr double metres_per_inch = 0.0254;
  const auto dots_per_metre = static_cast<std::uint32_t>(dots_per_inch / metres_per_inch + 0.5);
  const std::string dots = four_bytes(dots_per_metre) + four_bytes(dots_per_metre) + '\x01';
  return png.insert(after_header, png_chunk("pHYs", dots) + png_words("Title", drawing.title) +
                                      png_words("Description", drawing.description));
}

}  // namespace

std::string drawing_pdf(const Drawing& drawing) {
  std::string out;
  {
    const Surface surface(cairo_pdf_surface_create_for_stream(append, &out, drawing.width, drawing.height));
    // Cairo 1.18 on its own writes 1.7: pdflatex warns of it, and what it says of a chart is compressed.
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, drawing.title.c_str());
    if (!drawing.description.empty())
      cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, drawing.description.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Orrery");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, nullptr);  // same bytes each time
    draw_all(surface.get(), drawing, 1.0, "--pdf");
    cairo_surface_finish(surface.get());
    require(cairo_surface_status(surface.get()), "--pdf");
  }
  return out;
}

std::string drawing_png(const Drawing& drawing) {
  const double scale = dots_per_inch / points_per_inch;
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(drawing.width * scale + 0.5),
                                                   static_cast<int>(drawing.height * scale + 0.5)));
  draw_all(surface.get(), drawing, scale, "--png");
  std::string out;
  require(cairo_surface_write_to_png_stream(surface.get(), append, &out), "--png");
  return with_metadata(std::move(out), drawing);
}

}  // namespace orrery::show::paper
