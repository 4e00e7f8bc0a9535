// Large arrays: not initialised, and on huge pages where the system offers them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rocsteady {

// Asks for the cache line of an address that is about to be written: a scatter to many places waits for each
// otherwise.
inline void prefetch(const void *address) {
#if defined(__GNUC__)
    __builtin_prefetch(address, 1);
#else
    (void)address;
#endif
}

template <class T>
class Memory {
public:
    Memory() = default;
    explicit Memory(std::size_t n) {
        if (n == 0) return;
        const std::size_t bytes = n * sizeof(T);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        // First use of a fresh page costs more than sorting what is on it; huge pages make that cheap.
        const std::size_t huge = std::size_t(1) << 21;
        if (bytes >= 2 * huge) {
            void *aligned = nullptr;
            if (posix_memalign(&aligned, huge, bytes) != 0) throw std::bad_alloc();
            madvise(aligned, bytes, MADV_HUGEPAGE);
            data_ = static_cast<T *>(aligned);
            return;
        }
#endif
        data_ = static_cast<T *>(std::malloc(bytes));
        if (!data_) throw std::bad_alloc();
    }
    Memory(Memory &&other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    Memory &operator=(Memory &&other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    ~Memory() { std::free(data_); }

    T *data() { return data_; }
    const T *data() const { return data_; }
    T &operator[](std::size_t i) { return data_[i]; }
    void shrink(std::size_t n) {
        if (T *smaller = static_cast<T *>(
                std::realloc(static_cast<void *>(data_), std::max<std::size_t>(n, 1) * sizeof(T))))
            data_ = smaller;
    }
    T *release() { return std::exchange(data_, nullptr); }

private:
    T *data_ = nullptr;
};

}  // namespace rocsteady
