/* Levels of x86-64: x86-64 psABI, "Micro-Architecture Levels". A feature counts only if the
 * operating system saves its registers (XCR0). */
#include "host/private.h"

#include <cpuid.h>

struct leaf {
    unsigned eax, ebx, ecx, edx;
};

static struct leaf leaf(unsigned number) {
    struct leaf l = {0};
    if (!__get_cpuid_count(number, 0, &l.eax, &l.ebx, &l.ecx, &l.edx))
        return (struct leaf){0};
    return l;
}

static bool all(unsigned word, unsigned bits) {
    return (word & bits) == bits;
}

static unsigned saved_registers(unsigned ecx1) {
    if (!(ecx1 & bit_OSXSAVE))
        return 0;
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Names glibc up to 2.36 gives to Intel's models (sysdeps/x86/cpu-features.c,
 * init_cpu_features). */
static void intel_names(struct wy_cpu *cpu, const struct leaf *l1, const struct leaf *l7,
                        const struct leaf *x1) {
    static const unsigned bw_dq_vl = bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    bool avx512 = cpu->level >= 3 && all(l7->ebx, bit_AVX512F | bit_AVX512CD);
    if (avx512 && all(l7->ebx, bit_AVX512ER))
        cpu->platform = all(l7->ebx, bit_AVX512PF) ? "xeon_phi" : NULL;
    else if (avx512)
        cpu->legacy_avx512_1 = all(l7->ebx, bw_dq_vl);
    if (!cpu->platform && cpu->level >= 2 && all(l7->ebx, bit_AVX2 | bit_BMI | bit_BMI2) &&
        all(x1->ecx, bit_LZCNT) && all(l1->ecx, bit_MOVBE | bit_POPCNT | bit_FMA))
        cpu->platform = "haswell";
}

struct wy_cpu wy_cpu_detect(void) {
    enum { LAHF = 1, AVX_STATE = 0x6, AVX512_STATE = 0xe6 };
    struct leaf l0 = leaf(0), l1 = leaf(1), l7 = leaf(7), x1 = leaf(0x80000001);
    unsigned state = saved_registers(l1.ecx);
    struct wy_cpu cpu = {.level = 1};
    if (all(l1.ecx, bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT) &&
        all(x1.ecx, LAHF))
        cpu.level = 2;
    if (cpu.level == 2 && all(state, AVX_STATE) &&
        all(l1.ecx, bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) &&
        all(l7.ebx, bit_AVX2 | bit_BMI | bit_BMI2) && all(x1.ecx, bit_LZCNT))
        cpu.level = 3;
    if (cpu.level == 3 && all(state, AVX512_STATE) &&
        all(l7.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL))
        cpu.level = 4;
    if (l0.ebx == signature_INTEL_ebx && l0.ecx == signature_INTEL_ecx &&
        l0.edx == signature_INTEL_edx && all(state, AVX_STATE))
        intel_names(&cpu, &l1, &l7, &x1);
    return cpu;
}
