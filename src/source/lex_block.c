/* Over whole blocks: of most functions nothing is asked but where they end, and their bodies are
 * most of the text. Looks at 64 bytes at a time and only at those that can hide, open, close or end
 * a line. */
#include "source/lex.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CHUNK = 64 };

/* One bit per byte of a chunk, the first one lowest. */
struct marks {
    uint64_t hides; /* quotes, '#', backslash, NUL: what follows is to be read differently */
    uint64_t newline, open, close;
};

#ifdef __SSE2__
static inline __m128i is(__m128i v, char c) {
    return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static inline uint64_t bits(__m128i v, unsigned at) {
    return (uint64_t)(unsigned)_mm_movemask_epi8(v) << at;
}

static inline struct marks marks_of(const char *p) {
    struct marks m = {0};
    for (unsigned i = 0; i < CHUNK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i low = _mm_or_si128(v, _mm_set1_epi8(0x20)); /* '[' and ']' become '{' and '}' */
        __m128i hides = _mm_or_si128(_mm_or_si128(is(v, '"'), is(v, '\'')),
                                     _mm_or_si128(_mm_or_si128(is(v, '#'), is(v, '\\')), is(v, 0)));
        m.hides |= bits(hides, i);
        m.newline |= bits(is(v, '\n'), i);
        m.open |= bits(_mm_or_si128(is(v, '('), is(low, '{')), i);
        m.close |= bits(_mm_or_si128(is(v, ')'), is(low, '}')), i);
    }
    return m;
}

static inline unsigned newlines_of(const char *p) {
    __m128i sum = _mm_setzero_si128(); /* each byte loses one per newline */
    for (unsigned i = 0; i < CHUNK; i += 16)
        sum = _mm_add_epi8(sum, is(_mm_loadu_si128((const __m128i *)(const void *)(p + i)), '\n'));
    sum = _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), sum), _mm_setzero_si128());
    return (unsigned)(_mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4));
}
#else
static inline struct marks marks_of(const char *p) {
    struct marks m = {0};
    for (unsigned i = 0; i < CHUNK; i++) {
        char c = p[i];
        uint64_t bit = (uint64_t)1 << i;
        m.hides |= c == '"' || c == '\'' || c == '#' || c == '\\' || c == 0 ? bit : 0;
        m.newline |= c == '\n' ? bit : 0;
        m.open |= c == '(' || c == '[' || c == '{' ? bit : 0;
        m.close |= c == ')' || c == ']' || c == '}' ? bit : 0;
    }
    return m;
}

static inline unsigned newlines_of(const char *p) {
    unsigned n = 0;
    for (unsigned i = 0; i < CHUNK; i++)
        n += p[i] == '\n';
    return n;
}
#endif

/* Whether a line is blank or surely further in than `column`: then it ends no block. Tabs and form
 * feeds count in ways of their own (wy_lex_indent). */
static inline bool goes_on(const struct wy_lex *l, const char *line, int column) {
    const char *p = line;
    while (p < l->end && *p == ' ')
        p++;
    if (p == l->end || *p == '\t' || *p == '\f' || *p == '\r')
        return false;
    return *p == '\n' || p - line > column;
}

/* Open brackets behind those of `m`; below 0 when one is closed that was not opened. */
static int depth_after(const struct marks *m, uint64_t of, int depth) {
    int least = depth;
    for (uint64_t left = (m->open | m->close) & of; left; left &= left - 1) {
        depth += m->open & left & -left ? 1 : -1;
        least = depth < least ? depth : least;
    }
    return least < 0 ? least : depth;
}

/* The newlines among `of`, a chunk at `p`: true when a block may end behind one of them, where l
 * then stands. */
static bool ends_in(struct wy_lex *l, const char *p, const struct marks *m, uint64_t of,
                    int column) {
    for (uint64_t left = m->newline & of; left; left &= left - 1) {
        uint64_t below = (left & -left) - 1;
        const char *line = p + __builtin_ctzll(left) + 1;
        l->line++;
        if (goes_on(l, line, column) || depth_after(m, below & of, (int)l->depth) != 0)
            continue;
        l->p = line;
        l->depth = 0;
        return true;
    }
    return false;
}

unsigned wy_lex_newlines(const char *p, const char *end) {
    unsigned n = 0;
    for (; end - p >= CHUNK; p += CHUNK)
        n += newlines_of(p);
    for (; p < end; p++)
        n += *p == '\n';
    return n;
}

bool wy_lex_skip_lines(struct wy_lex *l, int column) {
    while (l->end - l->p >= CHUNK) {
        const char *p = l->p;
        struct marks m = marks_of(p);
        uint64_t of = m.hides ? (m.hides & -m.hides) - 1 : UINT64_MAX;
        int depth = depth_after(&m, of, (int)l->depth);
        if (depth < 0)
            break; /* read again by wy_lex_skip, which says where */
        if (ends_in(l, p, &m, of, column))
            return true;
        l->depth = (unsigned)depth;
        l->p = m.hides ? wy_lex_past(l, p + __builtin_ctzll(m.hides)) : p + CHUNK;
    }
    return wy_lex_skip(l, true) != 0;
}
