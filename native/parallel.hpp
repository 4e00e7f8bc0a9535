// Memory, threads, and Ctrl-C.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rocsteady {

// Large arrays: not initialised, and on huge pages where the system offers them.

// Asks for the cache line of an address that is about to be written: a scatter to many places waits for each
// otherwise.
inline void prefetch(const void *address) {
#if defined(__GNUC__)
    __builtin_prefetch(address, 1);
#else
    (void)address;
#endif
}

inline void prefetch_to_read(const void *address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

// The product of two sizes; one that does not fit is more than there is memory.
inline std::size_t product(std::size_t a, std::size_t b) {
    if (b != 0 && a > SIZE_MAX / b) throw std::bad_alloc();
    return a * b;
}

template <class T>
class Memory {
public:
    Memory() = default;
    explicit Memory(std::size_t n) {
        if (n == 0) return;
        if (n > most_elements) throw std::bad_alloc();  // their bytes would wrap round to a few
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
    static constexpr std::size_t most_elements = std::size_t(PTRDIFF_MAX) / sizeof(T);
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

// Blocks of working memory that the last calls left behind. Fresh pages have to be cleared by the system,
// which takes a third of the time of an AUC of a million scores; a block that is still there costs nothing.
class Workshop {
public:
    static constexpr std::size_t most_blocks = 2, most_bytes = std::size_t(32) << 20;

    static Memory<std::byte> take(std::size_t bytes, std::size_t &capacity) {
#if !defined(__SANITIZE_ADDRESS__)  // which sees no reading outside of a block that is too large
        {
            std::lock_guard<std::mutex> guard(lock());
            for (Block &block : blocks()) {
                if (block.capacity < bytes || block.capacity > 4 * bytes) continue;
                capacity = std::exchange(block.capacity, 0);
                return std::move(block.memory);
            }
        }
#endif
        capacity = bytes;
        return Memory<std::byte>(bytes);
    }

    static void give_back(Memory<std::byte> memory, std::size_t capacity) {
        if (capacity > most_bytes) return;
        std::lock_guard<std::mutex> guard(lock());
        Block *smallest = &blocks()[0];
        for (Block &block : blocks())
            if (block.capacity < smallest->capacity) smallest = &block;
        if (smallest->capacity < capacity) *smallest = {std::move(memory), capacity};
    }

private:
    struct Block {
        Memory<std::byte> memory;
        std::size_t capacity = 0;
    };
    static std::mutex &lock() {
        static std::mutex mutex;
        return mutex;
    }
    static std::array<Block, most_blocks> &blocks() {
        static std::array<Block, most_blocks> kept;
        return kept;
    }
};

// Working memory of one call.
template <class T>
class Scratch {
public:
    Scratch() = default;
    explicit Scratch(std::size_t n) : memory_(Workshop::take(product(n, sizeof(T)), capacity_)) {}
    Scratch(const Scratch &) = delete;
    Scratch &operator=(Scratch &&other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~Scratch() {
        if (capacity_) Workshop::give_back(std::move(memory_), capacity_);
    }

    T *data() { return reinterpret_cast<T *>(memory_.data()); }
    const T *data() const { return reinterpret_cast<const T *>(memory_.data()); }
    T &operator[](std::size_t i) { return data()[i]; }

private:
    std::size_t capacity_ = 0;  // before memory_, which sets it
    Memory<std::byte> memory_;
};

// Threads, and Ctrl-C.
//
// Work is cut into tasks; whoever is free takes the next one. No task may depend on which thread runs it or
// on how many there are: that is what makes every answer bit-identical for any number of threads.

// Asks Python whether the user pressed Ctrl-C; throws if so. Set by the module, called on the calling thread
// only.
using SignalCheck = void (*)();
inline SignalCheck check_signals = nullptr;

// What a running task needs to know about the others.
class Worker {
public:
    Worker(std::atomic<bool> &cancelled, bool is_caller) : cancelled_(cancelled), is_caller_(is_caller) {}

    // Called every fraction of a millisecond or so. Throws when the work should stop.
    void pulse() {
        if (cancelled_.load(std::memory_order_relaxed)) throw Stopped{};
        if (!is_caller_ || !check_signals) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_check_ < std::chrono::milliseconds(50)) return;
        last_check_ = now;
        check_signals();
    }

    bool is_caller() const { return is_caller_; }

    struct Stopped {};  // some other thread failed; that one knows why

private:
    std::atomic<bool> &cancelled_;
    bool is_caller_;
    std::chrono::steady_clock::time_point last_check_ = std::chrono::steady_clock::now();
};

// How far the work is: told on the calling thread, at most ten times a second, and once at the end.
class Report {
public:
    using Tell = std::function<void(std::size_t done, std::size_t total)>;

    Report(Tell tell, std::size_t total) : tell_(std::move(tell)), total_(total) {}

    void add(std::size_t n, const Worker &worker) {
        const std::size_t done = done_.fetch_add(n, std::memory_order_relaxed) + n;
        if (!tell_ || !worker.is_caller() || done == total_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        tell_(done, total_);
    }
    void finish() const {
        if (tell_) tell_(total_, total_);
    }

private:
    Tell tell_;
    std::size_t total_;
    std::atomic<std::size_t> done_{0};
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Runs body(task, worker) for every task in [0, n_tasks), on up to `threads` threads including the caller's.
template <class Body>
void parallel_for(std::size_t n_tasks, int threads, Body body) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> cancelled{false};
    std::exception_ptr failure;
    std::mutex failure_lock;

    auto run = [&](bool is_caller) {
        Worker worker(cancelled, is_caller);
        try {
            for (std::size_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < n_tasks;) {
                worker.pulse();
                body(task, worker);
            }
        } catch (const Worker::Stopped &) {
        } catch (...) {
            cancelled = true;
            std::lock_guard<std::mutex> guard(failure_lock);
            if (!failure) failure = std::current_exception();
        }
    };

    const std::size_t wanted = threads > 1 ? std::size_t(threads) : 1;
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < wanted && i < n_tasks; ++i) {
        try {
            helpers.emplace_back(run, false);
        } catch (const std::system_error &) {
            break;  // the machine gives no more threads: fewer give the same answer
        }
    }
    run(true);
    for (auto &helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rocsteady
