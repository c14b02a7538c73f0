/* Names of machines (e_machine: the ELF registry of the gABI; uname: the kernel's UTS_MACHINE). */
#include "elf/elf.h"

static const struct {
    uint16_t machine;
    const char *name;
    const char *uname; /* 64-bit little-endian where it matters; others: see below */
} machines[] = {
    {2, "SPARC", "sparc"},       {3, "i386", "i686"},    {8, "MIPS", NULL},
    {15, "PA-RISC", "parisc"},   {20, "PowerPC", "ppc"}, {21, "PowerPC64", NULL},
    {22, "S/390", NULL},         {40, "ARM", NULL},      {42, "SuperH", "sh4"},
    {43, "SPARC v9", "sparc64"}, {50, "IA-64", "ia64"},  {62, "x86-64", "x86_64"},
    {183, "AArch64", NULL},      {190, "CUDA", NULL},    {224, "AMD GPU", NULL},
    {243, "RISC-V", NULL},       {247, "BPF", NULL},     {258, "LoongArch", "loongarch64"},
    {0x9026, "Alpha", "alpha"},
};

const char *wy_elf_machine_name(struct wy_arena *a, uint16_t machine) {
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].machine == machine)
            return machines[i].name;
    return wy_arena_printf(a, "machine %u", machine);
}

const char *wy_elf_machine_uname(uint16_t machine, bool is64, bool big_endian) {
    switch (machine) {
    case 8:
        return is64 ? "mips64" : "mips";
    case 21:
        return big_endian ? "ppc64" : "ppc64le";
    case 22:
        return is64 ? "s390x" : "s390";
    case 40:
        return big_endian ? "armv7b" : "armv7l";
    case 183:
        return big_endian ? "aarch64_be" : "aarch64";
    case 243:
        return is64 ? "riscv64" : "riscv32";
    default:
        break;
    }
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].machine == machine)
            return machines[i].uname;
    return NULL;
}
