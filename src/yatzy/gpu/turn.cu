// One turn over many lanes at a time on a GPU: curves of chances, pairs of states of two players, expected scores.
//
// A lane is a score (curves), a pair of states with a difference of points (pairs) or a state (expected scores). A
// block of THREADS threads takes LANES of them from the values after the turn to the value before it: 32 in single
// precision, which share the state of the mover, or 16 states of one block of the game in double precision.
// kernels/turn.py, kernels/curves.py, kernels/endgames.py and kernels/values.py define the mathematics. The operations
// on a value are the same here and in the same order, so the results have the same bits; compile without fused
// multiply-add.
//
// Shared memory holds one row of numbers for each keep and for each number of points in each open category. A row is
// 128 bytes, one access of all 32 banks. A team of 8 threads works on a row, with 16 bytes a thread: four teams of a
// warp load four rows with one instruction, which takes four cycles of shared memory, so that the address arithmetic is
// spread over many numbers.
//
// Between two barriers the threads of a block are independent: every function with a parameter `thread` is one such
// phase. Nothing but shared memory lives from one phase to the next. On a CPU the same file is compiled with a header
// that defines PHASE as a loop over the threads.
//
// Sizes are macros: DICE, FACES, REROLLS, SLOTS (upper categories), REST (other lower categories), BOXES (1, or 3 with
// a Joker), JOKERS (faces, or 0), FILLED (rows with points), BYTES (of a number: 4, or 8 for expected scores), THREADS,
// LANES, PLACES (length of a list of rows of a roll) and RUN (chunks a block; see below).

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
#define DEVICE static __device__ __forceinline__
#define MEMBER __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define UNROLL_4 _Pragma("unroll 4")
#define SHARED(type, name) extern __shared__ type name[]
#define EACH_BLOCK if (const long long block_index = blockIdx.x; true)
#define PHASE(call)                    \
    {                                  \
        const int thread = threadIdx.x; \
        call;                          \
        __syncthreads();               \
    }
#endif

typedef unsigned short Index;
typedef long long Long;
#if BYTES == 8
typedef double Number;
typedef double2 Part;  // what a thread has of a row
#else
typedef float Number;
typedef float4 Part;
#endif

constexpr int TEAM = LANES * BYTES / 16;  // threads a row
constexpr int TEAMS = THREADS / TEAM;
constexpr int WARP = 32, WARPS = THREADS / WARP;
constexpr int COLUMNS = THREADS / LANES;  // groups of threads with a thread for each lane

DEVICE constexpr int choose(int n, int k) { return k == 0 ? 1 : choose(n - 1, k - 1) * n / k; }
// The first keep with `size` dice; the keeps with DICE dice are the rolls.
DEVICE constexpr int level(int size) { return size == 0 ? 0 : choose(FACES + size - 1, FACES); }

constexpr int FIRST_ROLL = level(DICE), KEEPS = level(DICE + 1), ROLLS = KEEPS - FIRST_ROLL;
constexpr int COUNTS = DICE + 1;
constexpr int CATEGORIES = SLOTS + REST;
template <bool MANY>
struct Bits {
    typedef unsigned Type;
};
template <>
struct Bits<true> {
    typedef unsigned long long Type;
};
typedef Bits<(CATEGORIES > 31)>::Type Categories;  // a bit for each
constexpr int SOURCES = SLOTS * COUNTS + REST + 2;  // as rows in model/placing.py, up to the zero row
constexpr int REST_SOURCE = SLOTS * COUNTS, BOX_SOURCE = REST_SOURCE + REST;
constexpr int ZERO_ROW = KEEPS, FILLED_ROW = ZERO_ROW + 1, JOKER_ROW = FILLED_ROW + FILLED;
constexpr int GROUP = 16, GROUPS = (ROLLS + GROUP - 1) / GROUP;  // weighted rolls are added in groups, as on the CPU
constexpr bool SPARE = level(DICE - 1) >= GROUPS;  // rows of small keeps that are free when the groups are added
constexpr int GROUP_ROW = SPARE ? 0 : JOKER_ROW + JOKERS;
constexpr int GROUPS_END = JOKER_ROW + JOKERS + (SPARE ? 0 : GROUPS);
// The sources of expected scores have rows of their own, which are free again when rolls are placed.
constexpr int SOURCE_ROW = SOURCES <= KEEPS ? 0 : GROUPS_END;
constexpr int ROWS = GROUPS_END + (BYTES == 8 && SOURCE_ROW ? SOURCES : 0);

DEVICE constexpr int padded(int length) { return (length + 1) / 2 * 2; }
constexpr int CHILD_STRIDE = padded(FACES);
constexpr int PARENT_STRIDE = padded(1 + (DICE < FACES ? DICE : FACES));

// The compiled game; game.py makes these arrays.
#define MODEL_PARAMETERS                                                                                             \
    const Index *child, const Index *parent, const Number *share, const Number *weight, const unsigned *places,      \
        const Index *filled_source, const int *filled_points,                  \
        const int *joker_start, const int *joker_source, const int *joker_points, const Long *joker_upper,           \
        const Long *upper_filled, const int *upper_next, const int *upper_shift, const int *rest_next,               \
        const Long *rest_first, const Long *state_start, const int *block, const Long *block_start, Long rest_sets
#define MODEL_ARGUMENTS                                                                                           \
    {                                                                                                             \
        child, parent, share, weight, places, filled_source, filled_points, joker_start,           \
            joker_source, joker_points, joker_upper, upper_filled, upper_next, upper_shift, rest_next, rest_first, \
            state_start, block, block_start, rest_sets                                                            \
    }

struct Model {
    const Index *child;               // [keep with fewer than n dice][CHILD_STRIDE]: the rows with one die more
    const Index *parent;              // [keep][PARENT_STRIDE]: their number, then the rows with one die less
    const Number *share;              // [size]: 1 / the ways in which the dice not kept can fall
    const Number *weight;             // [roll]
    const unsigned *places;           // [roll][PLACES]: the row that is always open, then row + category · 2¹⁶
    const Index *filled_source;       // [filled row]: the source it reads, ascending
    const int *filled_points;         // [filled row]: points in addition to those of the source
    const int *joker_start;           // [context · face + 1]
    const int *joker_source;          // [term]
    const int *joker_points;          // [term]
    const Long *joker_upper;          // [face]: the bit of its upper category, 0 without one
    const Long *upper_filled;         // [class]
    const int *upper_next;            // [class][slot][count]
    const int *upper_shift;           // [class][slot][count]: points, bonus included
    const int *rest_next;             // [rest category][rest set]
    const Long *rest_first;           // [size of rest]
    const Long *state_start;          // [class][box][size of rest]: the first state, negative if there is none
    const int *block;                 // [block][class, box, size of rest]
    const Long *block_start;          // [block]
    Long rest_sets;
};

struct Window {
    Long begin;  // of its values
    int low;     // the first score or difference stored: 1 below, 0 from low + length on
    int length;
};

struct Block {
    Part *row;       // [row][TEAM]
    int *target;     // [source]: the next state, negative if closed; of expected scores, negative if all are closed
    int *shift;      // [source]: points
    Window *window;  // [source], of curves only
};

constexpr int TARGETS_AT = ROWS * LANES * BYTES / 4;
constexpr int WINDOWS_AT = (TARGETS_AT + 2 * SOURCES + 3) / 4 * 4;  // in integers, aligned to 16 bytes
constexpr int SHARED_BYTES = 4 * WINDOWS_AT + SOURCES * (int)sizeof(Window);

// A multiprocessor of compute capability 9.0 has 228 KiB of shared memory, of which a block takes 1 KiB for the system.
// The compiler must not use more registers than the resident blocks, 1152 threads at most, leave for a thread.
constexpr int FITTING = 228 * 1024 / (SHARED_BYTES + 1024), MOST = 1152 / THREADS;
constexpr int RESIDENT = FITTING < 1 ? 1 : FITTING < MOST ? FITTING : MOST;

// For the host: the shared memory of a block, which it must ask for, and the blocks on a multiprocessor.
KERNEL tell_sizes(int *sizes) { PHASE(if (thread < 2) sizes[thread] = thread ? RESIDENT : SHARED_BYTES) }

DEVICE Block blocks_memory(Part *memory) {
    int *integers = (int *)memory, *target = integers + TARGETS_AT;
    return {memory, target, target + SOURCES, (Window *)(integers + WINDOWS_AT)};
}

#if BYTES == 8
DEVICE double larger(double a, double b) { return a > b ? a : b; }  // fmax would take care of NaN
DEVICE double2 operator+(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
DEVICE double2 operator*(double2 a, double b) { return {a.x * b, a.y * b}; }
DEVICE double2 larger(double2 a, double2 b) { return {larger(a.x, b.x), larger(a.y, b.y)}; }
#else
DEVICE float larger(float a, float b) { return fmaxf(a, b); }
DEVICE float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
DEVICE float4 operator*(float4 a, float b) { return {a.x * b, a.y * b, a.z * b, a.w * b}; }
DEVICE float4 larger(float4 a, float4 b) {
    return {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z), larger(a.w, b.w)};
}
#endif

// Numbers of rows, two in a word. They are loaded word by word: a wider load takes more cycles of the first-level cache,
// which is what limits the speed, although all threads of a team load the same.
template <int STRIDE>
struct List {
    unsigned word[STRIDE / 2];
    MEMBER unsigned operator[](int i) const { return i % 2 ? word[i / 2] >> 16 : word[i / 2] & 0xffff; }
};

template <int STRIDE>
DEVICE List<STRIDE> list_of(const Index *lists, int which) {
    List<STRIDE> list;
    const unsigned *from = (const unsigned *)(lists + which * STRIDE);
    UNROLL
    for (int i = 0; i < STRIDE / 2; ++i) list.word[i] = __ldg(from + i);
    return list;
}

// The thread's part of a row.
DEVICE Part row_at(const Block &b, int part, unsigned row) {
    return *(const Part *)((const char *)(b.row + part) + row * (TEAM * (int)sizeof(Part)));
}

// ---- the turn ----

DEVICE Long state_at(const Model &m, int u, int box, int size) {
    return m.state_start[((Long)u * BOXES + box) * (REST + 1) + size];
}

struct Next {
    Long state;  // negative if closed
    int points;
};

// The next state that a source reads, for the state with this rank in its block.
DEVICE Next next_of(int source, const Model &m, int block, Long rank) {
    const int u = m.block[3 * block], box = m.block[3 * block + 1], size = m.block[3 * block + 2];
    Long start = -1, to = -1;
    int points = 0;
    if (source < REST_SOURCE) {
        const int next = m.upper_next[u * (SLOTS * COUNTS) + source];
        if (next >= 0) start = state_at(m, next, box, size);
        points = m.upper_shift[u * (SLOTS * COUNTS) + source];
        to = start + rank;
    } else if (source < BOX_SOURCE) {
        if (size < REST) {
            const int next = m.rest_next[(source - REST_SOURCE) * m.rest_sets + m.rest_first[size] + rank];
            if (next >= 0) start = state_at(m, u, box, size + 1);
            to = start + next;
        }
    } else if (JOKERS && box == 0) {
        start = state_at(m, u, source - BOX_SOURCE + 1, size);
        to = start + rank;
    }
    return {start < 0 ? -1 : to, points};
}

// The row of a source that is always allowed: the category filled with 0.
DEVICE int zero_source(int category) { return category < SLOTS ? category * COUNTS : REST_SOURCE + category - SLOTS; }

constexpr Number CLOSED = BYTES == 8 ? -1e300 : -1;  // below every score and every chance

// The rows after a placement. `Lane::read` gives a source with points. Neighbouring threads take neighbouring lanes of
// a row here, so that a load from device memory is coalesced.
template <class Lane>
DEVICE void fill(int thread, const Block &b, const Model &m, int block, const Lane &lane) {
    const int group = thread / LANES;
    Number *row = (Number *)b.row + thread % LANES;
    UNROLL_4
    for (int i = group; i < FILLED; i += COLUMNS)
        row[(FILLED_ROW + i) * LANES] = lane.read(b, m.filled_source[i], m.filled_points[i]);
    if (group == COLUMNS - 1) {
        Number best = lane.read(b, BOX_SOURCE, 0);
        UNROLL_4
        for (int category = 0; category < CATEGORIES; ++category)
            best = larger(best, lane.read(b, zero_source(category), 0));
        row[ZERO_ROW * LANES] = best;
    }
    for (int face = group; face < JOKERS; face += COLUMNS) {
        const int u = m.block[3 * block], box = m.block[3 * block + 1], size = m.block[3 * block + 2];
        const bool upper_open = m.joker_upper[face] & ~m.upper_filled[u], lower_open = size < REST || box == 0;
        const int context = (box * 4 + upper_open * 2 + lower_open) * JOKERS + face;
        Number best = CLOSED;
        for (int term = m.joker_start[context]; term < m.joker_start[context + 1]; ++term)
            best = larger(best, lane.read(b, m.joker_source[term], m.joker_points[term]));
        row[(JOKER_ROW + face) * LANES] = best;
    }
}

// Every roll when no roll is left: the best of the rows that pay. Their list is loaded whole, so that no load of a row
// waits for another one.
DEVICE void place(int thread, const Block &b, const Model &m) {
    const int part = thread % TEAM;
    Categories open = 0;
    for (int category = 0; category < CATEGORIES; ++category)
        if (b.target[zero_source(category)] >= 0) open |= (Categories)1 << category;
    for (int roll = thread / TEAM; roll < ROLLS; roll += TEAMS) {
        const unsigned *rows = m.places + roll * PLACES;
        Part best = row_at(b, part, __ldg(rows));
        UNROLL
        for (int i = 1; i < PLACES; ++i) {
            const unsigned entry = __ldg(rows + i);
            if (open >> (entry >> 16) & 1) best = larger(best, row_at(b, part, entry & 0xffff));
        }
        b.row[(FIRST_ROLL + roll) * TEAM + part] = best;
    }
}

// Keeps of one size: the sum over the faces of one more die.
template <int SIZE>
DEVICE void add_level(int thread, const Block &b, const Model &m) {
    constexpr int first = level(SIZE), end = level(SIZE + 1);
    const int part = thread % TEAM;
    for (int keep = first + thread / TEAM; keep < end; keep += TEAMS) {
        const auto child = list_of<CHILD_STRIDE>(m.child, keep);
        Part total = row_at(b, part, child[0]);
        UNROLL
        for (int face = 1; face < FACES; ++face) total = total + row_at(b, part, child[face]);
        b.row[keep * TEAM + part] = total;
    }
}

// The best of a row and of its parents, COUNT … MOST of them. Their number is compiled in, because loads that depend on
// a branch wait for each other; neighbouring keeps have equally many, so that the teams of a warp rarely differ.
template <int COUNT, int MOST>
DEVICE Part best_of(Part best, const Block &b, const List<PARENT_STRIDE> &parent, int part) {
    if constexpr (COUNT < MOST) {
        if (parent[0] != COUNT) return best_of<COUNT + 1, MOST>(best, b, parent, part);
    }
    UNROLL
    for (int i = 1; i <= COUNT; ++i) best = larger(best, row_at(b, part, parent[i]));
    return best;
}

DEVICE constexpr int most_parents(int size) { return size < FACES ? size : FACES; }

// Keeps of one size: the best keep from these dice.
template <int SIZE>
DEVICE void best_level(int thread, const Block &b, const Model &m, Number share) {
    constexpr int first = level(SIZE), end = level(SIZE + 1), most = most_parents(SIZE);
    const int part = thread % TEAM;
    for (int keep = first + thread / TEAM; keep < end; keep += TEAMS) {
        const auto parent = list_of<PARENT_STRIDE>(m.parent, keep);
        Part own = b.row[keep * TEAM + part];
        if (SIZE < DICE) own = own * share;
        b.row[keep * TEAM + part] = best_of<(SIZE > 0), most>(own, b, parent, part);
    }
}

// The first roll: the weighted sum of each group of rolls. Groups are dealt to the warps one by one.
DEVICE void weigh(int thread, const Block &b, const Model &m) {
    const int part = thread % TEAM, team = thread / TEAM;
    constexpr int each = WARP / TEAM, most = most_parents(DICE);  // teams in a warp, parents of a roll
    for (int group = team / each + WARPS * (team % each); group < GROUPS; group += TEAMS) {
        Part total = {};
        const int end = group * GROUP + GROUP < ROLLS ? group * GROUP + GROUP : ROLLS;
        UNROLL_4
        for (int roll = group * GROUP; roll < end; ++roll) {
            const int keep = FIRST_ROLL + roll;
            Part best = b.row[keep * TEAM + part];
            if (REROLLS) best = best_of<1, most>(best, b, list_of<PARENT_STRIDE>(m.parent, keep), part);
            total = total + best * m.weight[roll];
        }
        b.row[(GROUP_ROW + group) * TEAM + part] = total;
    }
}

DEVICE Number sum_of_groups(const Block &b, int column) {
    const Number *row = (const Number *)b.row + GROUP_ROW * LANES + column;
    Number mean = 0;
    for (int group = 0; group < GROUPS; ++group) mean = mean + row[group * LANES];
    return mean;
}

template <int SIZE>
DEVICE void add_levels(const Block &b, const Model &m) {
    PHASE(add_level<SIZE>(thread, b, m))
    if constexpr (SIZE > 0) add_levels<SIZE - 1>(b, m);
}

template <int SIZE>
DEVICE void best_levels(const Block &b, const Model &m) {
    PHASE(best_level<SIZE>(thread, b, m, m.share[SIZE]))
    if constexpr (SIZE < DICE - 1) best_levels<SIZE + 1>(b, m);
}

// From the filled rows to the sums of the groups.
DEVICE void turn(const Block &b, const Model &m) {
    PHASE(place(thread, b, m))
    for (int left = 1; left <= REROLLS; ++left) {
        add_levels<DICE - 1>(b, m);
        best_levels<0>(b, m);
        if (left < REROLLS) PHASE(best_level<DICE>(thread, b, m, 1))
    }
    PHASE(weigh(thread, b, m))
}

#if BYTES == 8
// ---- expected scores ----

struct StateLane {
    const double *source;  // [source][LANES], from this lane on
    MEMBER double read(const Block &, int which, int points) const { return source[which * LANES] + points; }
};

// The rows of the sources: the value of the state after each placement with its points, for LANES states of a block.
DEVICE void read_sources(int thread, const Block &b, const Model &m, int block, Long rank, const double *after,
                         Long after_first) {
    double *row = (double *)b.row + SOURCE_ROW * LANES + thread % LANES;
    for (int source = thread / LANES; source < SOURCES; source += COLUMNS) {
        const Next next = next_of(source, m, block, rank);
        row[source * LANES] = next.state < 0 ? CLOSED : after[next.state - after_first] + next.points;
        // A rest category can be open in some lanes only; in the others CLOSED loses to everything.
        const bool rest = source >= REST_SOURCE && source < BOX_SOURCE;
        const bool closed = rest ? m.block[3 * block + 2] == REST : next.state < 0;
        if (thread % LANES == 0) b.target[source] = closed ? -1 : 0;
    }
}

// Solve the states of some blocks of a layer. Chunk c holds up to LANES states of block first_block + chunk_block[c];
// chunk_start: [block] its first chunk. after: the values of the next layer, which begins with state after_first;
// value: those of this layer, from state `first` on.
KERNEL solve_states(MODEL_PARAMETERS, const double *after, Long after_first, Long first_block, Long chunks,
                    const int *chunk_block, const Long *chunk_start, Long first, double *value) {
    SHARED(Part, memory);
    const Model m = MODEL_ARGUMENTS;
    const Block b = blocks_memory(memory);
    EACH_BLOCK {
        for (Long chunk = block_index * RUN; chunk < (block_index + 1) * RUN && chunk < chunks; ++chunk) {
            const int in_block = (int)first_block + chunk_block[chunk];
            const Long begin = (chunk - chunk_start[chunk_block[chunk]]) * LANES;
            const Long size = m.block_start[in_block + 1] - m.block_start[in_block];
            PHASE(read_sources(thread, b, m, in_block, min(begin + thread % LANES, size - 1), after, after_first))
            PHASE(fill(thread, b, m, in_block,
                       StateLane{(const double *)b.row + SOURCE_ROW * LANES + thread % LANES}))
            turn(b, m);
            PHASE(if (thread < LANES && begin + thread < size)
                      value[m.block_start[in_block] - first + begin + thread] = sum_of_groups(b, thread))
        }
    }
}
#else
// ---- functions of points in single precision ----

// The next state that a source reads, counted from `first`, and its points.
DEVICE void find_source(int source, const Block &b, const Model &m, int block, Long state, Long first) {
    const Next next = next_of(source, m, block, state - m.block_start[block]);
    b.target[source] = next.state < 0 ? -1 : (int)(next.state - first);
    b.shift[source] = next.points;
}

// A function at x. Written so that the load is conditional and nothing branches.
DEVICE float at(const float *values, const Window &window, int x) {
    const int i = x - window.low;
    float value = i < 0 ? 1.0f : 0.0f;
    if (i >= 0 && i < window.length) value = __ldg(values + window.begin + i);
    return value;
}

// A source at the lane's x minus `points`; CLOSED if its category is filled.
template <class Lane>
DEVICE float read_at(const Block &b, const Lane &lane, int source, int points) {
    const int target = b.target[source];
    return target < 0 ? CLOSED : at(lane.values, lane.window(source, target), lane.x - b.shift[source] - points);
}

// ---- curves of chances ----

struct CurveLane {
    const Window *windows;
    const float *values;
    int x;
    MEMBER Window window(int source, int) const { return windows[source]; }
    MEMBER float read(const Block &b, int source, int points) const { return read_at(b, *this, source, points); }
};

DEVICE void find_curve(int source, const Block &b, const Model &m, int block, Long state, const int *low,
                       const Long *offset) {
    find_source(source, b, m, block, state, 0);
    const int to = b.target[source];
    if (to >= 0) b.window[source] = {offset[to], low[to], (int)(offset[to + 1] - offset[to])};
}

DEVICE void write_curve(int column, const Block &b, float *chance, Long begin, int length) {
    if (column < length) chance[begin + column] = sum_of_groups(b, column);
}

// Fill the windows of some states. Chunk c holds up to 32 scores of state first_state + chunk_state[c], in block
// chunk_block[c]; chunk_start: [state] its first chunk. least, offset: [state], the first score and where it is written.
KERNEL solve_curves(MODEL_PARAMETERS, const int *after_low, const Long *after_offset, const float *after_chance,
                    Long first_state, Long chunks, const int *chunk_state, const int *chunk_block,
                    const Long *chunk_start, const int *least, const Long *offset, float *chance) {
    SHARED(Part, memory);
    const Model m = MODEL_ARGUMENTS;
    const Block b = blocks_memory(memory);
    EACH_BLOCK {
        int last = -1;
        for (Long chunk = block_index * RUN; chunk < (block_index + 1) * RUN && chunk < chunks; ++chunk) {
            const int state = chunk_state[chunk], in_block = chunk_block[chunk];
            if (state != last)
                PHASE(for (int source = thread; source < SOURCES; source += THREADS)
                          find_curve(source, b, m, in_block, first_state + state, after_low, after_offset))
            last = state;
            const int done = (int)(chunk - chunk_start[state]) * LANES;
            const Long begin = offset[state] + done;
            PHASE(fill(thread, b, m, in_block,
                       CurveLane{b.window, after_chance, least[state] + done + thread % LANES}))
            turn(b, m);
            PHASE(if (thread < LANES) write_curve(thread, b, chance, begin, (int)(offset[state + 1] - begin)))
        }
    }
}

// ---- pairs of states of two players ----

// The window of W for a mover and an opponent, given by (o⁻, o⁺, p⁻, p⁺) of both; see kernels/endgames.py.
DEVICE Window waiting_window(int4 mover, int4 opponent, Long begin) {
    const int low = max(opponent.x - mover.y, mover.z - opponent.w);
    const int high = min(opponent.y - mover.x, mover.w - opponent.z);
    return {begin, min(low, high + 1), max(high - low + 1, 0)};
}

struct PairLane {
    const int4 *ranges;
    const Long *begin;  // of the windows of this lane's opponent, as mover of the pairs after the turn; [state]
    const float *values;
    int4 opponent;
    int x;
    MEMBER Window window(int, int target) const {
        return waiting_window(opponent, ranges[target], __ldg(begin + target));
    }
    MEMBER float read(const Block &b, int source, int points) const { return read_at(b, *this, source, points); }
};

// The pair of a lane: the last one that begins at or before `position`.
DEVICE Long find_pair(const Long *begin, Long low, Long high, Long position) {
    while (low < high) {
        const Long middle = (low + high + 1) / 2;
        if (begin[middle] <= position)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

DEVICE PairLane pair_lane(Long position, Long low, Long high, const int4 *ranges, Long mover, Long opponents,
                          Long first_opponent, const Long *pair_begin, Long after_opponents, Long after_opponent,
                          const Long *after_begin, const float *after_value) {
    const Long pair = find_pair(pair_begin, low, high, position);
    const Long column = pair % opponents;
    const int4 opponent = ranges[first_opponent + column];
    // W at the k-th difference of the window is 1 − V at minus that difference.
    const int x = -(waiting_window(ranges[mover], opponent, 0).low + (int)(position - pair_begin[pair]));
    return {ranges, after_begin + column * after_opponents - after_opponent, after_value, opponent, x};
}

// Fill the windows of the pairs of `movers` states from `first_mover` on with `opponents` from `first_opponent` on.
// pair_begin: [pair + 1], where its window begins in `value`; pair = mover · opponents + opponent. Chunk c holds up to
// 32 consecutive values of mover chunk_mover[c], in block chunk_block[c], from pair chunk_pair[c] on; chunk_start:
// [mover] its first chunk. The pairs after the turn have the same opponents as movers and `after_opponents` states
// from `after_opponent` on; after_begin: [pair + 1].
KERNEL solve_pairs(MODEL_PARAMETERS, const int4 *ranges, Long after_opponent, Long after_opponents,
                   const Long *after_begin, const float *after_value, Long first_mover, Long first_opponent,
                   Long opponents, const Long *pair_begin, Long chunks, const int *chunk_mover,
                   const int *chunk_block, const Long *chunk_pair, const Long *chunk_start, float *value) {
    SHARED(Part, memory);
    const Model m = MODEL_ARGUMENTS;
    const Block b = blocks_memory(memory);
    EACH_BLOCK {
        int last = -1;
        for (Long chunk = block_index * RUN; chunk < (block_index + 1) * RUN && chunk < chunks; ++chunk) {
            const int mover = chunk_mover[chunk], in_block = chunk_block[chunk];
            if (mover != last)
                PHASE(for (int source = thread; source < SOURCES; source += THREADS)
                          find_source(source, b, m, in_block, first_mover + mover, 0))
            last = mover;
            const Long begin = pair_begin[mover * opponents] + (chunk - chunk_start[mover]) * LANES;
            const Long end = pair_begin[(mover + 1) * opponents], low = chunk_pair[chunk];
            const Long high = min(chunk_pair[chunk + 1], (mover + 1) * opponents - 1);
            PHASE(fill(thread, b, m, in_block,
                       pair_lane(min(begin + thread % LANES, end - 1), low, high, ranges, first_mover + mover,
                                 opponents, first_opponent, pair_begin, after_opponents, after_opponent,
                                 after_begin, after_value)))
            turn(b, m);
            PHASE(if (thread < LANES && begin + thread < end) value[begin + thread] = 1.0f - sum_of_groups(b, thread))
        }
    }
}
#endif
