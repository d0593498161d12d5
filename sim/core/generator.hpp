/// A lazy sequence written as a coroutine; `co_yield elements_of(other)` nests one without cost per element.
///
///   Generator<Step> steps(Rank me) const { co_yield compute(...); co_yield elements_of(broadcast(...)); }
///   while (const Step* step = program.next()) ...
///
/// Frames come from a pool per thread, so a million ranks cost no heap traffic in steady state. The pointer returned
/// by `next()` is valid until the following call. An exception inside a coroutine leaves through `next()`.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "sim/core/fetch.hpp"

namespace orrery {

namespace detail {

/// Free lists of coroutine frames by size class of 64 bytes; larger frames go to the heap.
class FramePool {
 public:
  static void* allocate(std::size_t size) {
    const std::size_t slot = (size + granule - 1) / granule;
    if (slot >= slots) return ::operator new(size);
    Node*& head = free_lists()[slot];
    if (head == nullptr) return ::operator new(slot* granule, lines);
    return std::exchange(head, head->next);
  }
  static void release(void* frame, std::size_t size) {
    const std::size_t slot = (size + granule - 1) / granule;
    if (slot >= slots) return ::operator delete(frame);
    Node*& head = free_lists()[slot];
    head = new (frame) Node{head};
  }

 private:
  struct Node {
    Node* next;
  };
  static constexpr std::size_t granule = 64;
  static constexpr std::size_t slots = 64;
  static constexpr std::align_val_t lines{granule};  // cache lines: a frame touches no more of them than its size needs
  struct Lists {
    Node* heads[slots] = {};
    Lists() = default;
    Lists(const Lists&) = delete;
    Lists& operator=(const Lists&) = delete;
    ~Lists() {
      for (Node*& head : heads)
        while (head != nullptr) ::operator delete(std::exchange(head, head->next), lines);
    }
  };
  static Node** free_lists() {
    thread_local Lists lists;
    return lists.heads;
  }
};

}  // namespace detail

template <class T>
class Generator;

template <class T>
struct ElementsOf {
  Generator<T> generator;
};

template <class T>
ElementsOf<T> elements_of(Generator<T> generator) {
  return {std::move(generator)};
}

/// `co_yield made_from(other)`: no element; the reader may prefetch the frame of the other sequence.
struct MadeFrom {
  const void* frame;
};
template <class T>
MadeFrom made_from(const Generator<T>& other) {
  return {other.frame()};
}

template <class T>
class [[nodiscard]] Generator {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    const T* value = nullptr;
    promise_type* root = this;  ///< the outermost generator of this nest
    promise_type* leaf = this;  ///< valid in the root: the innermost, which runs next
    promise_type* parent = nullptr;
    const void* source = nullptr;  ///< frame of the sequence named by the last `made_from`
    std::exception_ptr error;

    static void* operator new(std::size_t size) { return detail::FramePool::allocate(size); }
    static void operator delete(void* frame, std::size_t size) { detail::FramePool::release(frame, size); }

    Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }

    /// A nested generator that ends hands control back to the one that nested it.
    struct ReturnToParent {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(Handle self) noexcept {
        promise_type& promise = self.promise();
        if (promise.parent == nullptr) return std::noop_coroutine();
        promise.root->leaf = promise.parent;
        return Handle::from_promise(*promise.parent);
      }
      void await_resume() noexcept {}
    };
    ReturnToParent final_suspend() noexcept { return {}; }

    std::suspend_always yield_value(const T& element) noexcept {
      root->value = std::addressof(element);
      return {};
    }

    struct RunNested {
      Generator nested;
      bool await_ready() noexcept { return !nested.handle_; }
      std::coroutine_handle<> await_suspend(Handle outer) noexcept {
        promise_type& inner = nested.handle_.promise();
        inner.root = outer.promise().root;
        inner.parent = &outer.promise();
        inner.root->leaf = &inner;
        return nested.handle_;
      }
      void await_resume() {
        if (nested.handle_ && nested.handle_.promise().error) std::rethrow_exception(nested.handle_.promise().error);
      }
    };
    RunNested yield_value(ElementsOf<T> elements) noexcept { return {std::move(elements.generator)}; }
    std::suspend_never yield_value(MadeFrom from) noexcept {
      source = from.frame;
      return {};
    }

    void return_void() noexcept {}
    void unhandled_exception() noexcept { error = std::current_exception(); }
    void await_transform() = delete;
  };

  Generator() = default;
  Generator(Generator&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Generator& operator=(Generator&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Generator() {
    if (handle_) handle_.destroy();
  }

  /// The next element, or nullptr at the end.
  const T* next() {
    if (!handle_ || handle_.done()) return nullptr;
    promise_type& root = handle_.promise();
    root.value = nullptr;
    Handle::from_promise(*root.leaf).resume();
    if (!handle_.done()) return root.value;
    if (root.error) std::rethrow_exception(std::exchange(root.error, nullptr));
    return nullptr;
  }

  /// For a reader that will soon ask for the next element. Three steps, each using what the step before prefetched:
  /// where the outermost generator stores its innermost; that innermost, which runs next; the sequence it is made from.
  void fetch_outermost() const {
    if (handle_) fetch(handle_.address());
  }
  void fetch_innermost() const {
    if (handle_) fetch_lines(Handle::from_promise(*handle_.promise().leaf).address(), lines_of_a_frame);
  }
  void fetch_source() const {
    if (!handle_) return;
    if (const void* source = handle_.promise().leaf->source; source != nullptr) fetch_lines(source, lines_of_a_frame);
  }
  const void* frame() const { return handle_ ? handle_.address() : nullptr; }

 private:
  static constexpr std::size_t lines_of_a_frame = 8;  // most kernels need no more at a time
  explicit Generator(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace orrery
