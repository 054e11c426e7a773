// What turn.cu needs of a GPU, on a CPU: the threads of a block are a loop between barriers, blocks are another loop.
// The order of the threads can be reversed: a phase whose result depends on it lacks a barrier.

#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

struct float4 { float x, y, z, w; };
struct double2 { double x, y; };
struct int4 { int x, y, z, w; };

using std::max;
using std::min;

template <class T> static inline T __ldg(const T *from) { return *from; }

extern "C" {
long long shim_blocks = 0;
int shim_backwards = 0;
int shim_overrun = 0;  // set if a kernel has written behind its shared memory
}

constexpr int GUARD = 64;

struct SharedMemory {
    std::vector<float4> room;
    size_t bytes;
    explicit SharedMemory(size_t size) : room(size / sizeof(float4) + GUARD + 1), bytes(size) {
        std::memset((void *)room.data(), 0x7f, room.size() * sizeof(float4));  // numbers that no turn has
    }
    ~SharedMemory() {
        const unsigned char *end = (const unsigned char *)(room.data() + room.size());
        for (const unsigned char *at = (const unsigned char *)room.data() + bytes; at < end; ++at)
            if (*at != 0x7f) shim_overrun = 1;
    }
};

#define KERNEL extern "C" void
#define DEVICE static inline
#define MEMBER inline
#define UNROLL
#define UNROLL_4
#define SHARED(type, name)                       \
    SharedMemory shared_memory_of_block(SHARED_BYTES); \
    type *const name = (type *)shared_memory_of_block.room.data()
#define EACH_BLOCK for (long long block_index = 0; block_index < shim_blocks; ++block_index)
#define PHASE(call)                                                        \
    for (int turn_of = 0; turn_of < THREADS; ++turn_of) {                  \
        const int thread = shim_backwards ? THREADS - 1 - turn_of : turn_of; \
        call;                                                              \
    }
