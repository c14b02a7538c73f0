/* CPU level of the simulated process: the option, or this machine. */
#include "host/private.h"

/* "x86-64-v1" … "x86-64-v4" → 1 … 4; other words 0. */
static unsigned level_of(const char *cpu) {
    if (!wy_starts(cpu, "x86-64-v") || strlen(cpu) != 9)
        return 0;
    char c = cpu[8];
    return c >= '1' && c <= '4' ? (unsigned)(c - '0') : 0;
}

void wy_host_set_cpu(struct wy_host *h, uint16_t machine) {
    static const char *const names[] = {"x86-64-v1", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    const struct wy_host_options *o = &h->options;
    struct wy_cpu own = o->foreign ? (struct wy_cpu){.level = 1} : wy_cpu_detect();
    h->legacy_avx512_1 = false;
    h->cpu_platform = NULL;
    if (o->cpu) {
        h->cpu = o->cpu;
        h->cpu_level = level_of(o->cpu);
    } else if (own.level && (machine == WY_EM_X86_64 || machine == 0)) {
        h->cpu = names[own.level - 1];
        h->cpu_level = own.level;
        h->cpu_platform = own.platform;
        h->legacy_avx512_1 = own.legacy_avx512_1;
    } else {
        const char *name = wy_elf_machine_uname(machine, h->is64, h->big_endian);
        h->cpu = name ? name : "unknown";
        h->cpu_level = 0;
    }
}
