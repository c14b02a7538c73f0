/* Relocation types by machine: which look up a symbol, how, and which glibc refuses. From
 * elf_machine_rel, elf_machine_rela and elf_machine_type_class in glibc's
 * sysdeps/MACHINE/dl-machine.h; the numbers are those of elf.h. Which musl knows: its
 * arch/MACHINE/reloc.h. */
#include "elf/tables.h"

enum {
    EM_386 = 3,
    EM_PPC64 = 21,
    EM_S390 = 22,
    EM_ARM = 40,
    EM_X86_64 = 62,
    EM_AARCH64 = 183,
    EM_RISCV = 243,
};
enum {
    SKIP = WY_RELOC_SKIP,
    VALUE = WY_USE_ADDRESS,
    SLOT = WY_RELOC_SLOT | WY_USE_PLT,
    COPY = WY_USE_COPY,
    GOT = WY_USE_GOT,
    IRELATIVE = WY_RELOC_IRELATIVE | WY_RELOC_NOT_MUSL | WY_USE_ADDRESS,
    OTHER = WY_USE_ADDRESS | WY_RELOC_NOT_MUSL,
    OTHER_IE = WY_USE_TLS_IE | WY_USE_PLT | WY_RELOC_NOT_MUSL,
    TLS_IE = WY_USE_TLS_IE | WY_USE_PLT,
    TLS_GD = WY_USE_TLS_GD | WY_USE_PLT,
    TLS_DESC = WY_USE_TLS_DESC | WY_USE_PLT,
};

struct range {
    uint16_t low, high, kind;
};
enum { MOST_RANGES = 24 };
struct wy_elf_reloc_types {
    uint16_t machine;
    bool is64, has_rel;
    /* the most frequent first; ends at kind 0 */
    struct range ranges[MOST_RANGES];
};

static const struct wy_elf_reloc_types tables[] = {
    /* also class 32 (x32) */
    {EM_X86_64,
     true,
     false,
     {{1, 2, VALUE}, /* 64, PC32 */
      {6, 6, GOT},   /* GLOB_DAT */
      {7, 7, SLOT},
      {8, 8, SKIP},     /* RELATIVE */
      {5, 5, COPY},     /* COPY */
      {10, 10, OTHER},  /* 32 */
      {16, 17, TLS_GD}, /* DTPMOD64, DTPOFF64 */
      {18, 18, TLS_IE}, /* TPOFF64 */
      {32, 33, OTHER},  /* SIZE32, SIZE64 */
      {36, 36, TLS_DESC},
      {37, 37, IRELATIVE},
      {38, 38, SKIP | WY_RELOC_NOT_MUSL}, /* RELATIVE64 */
      {0, 0, SKIP}}},
    {EM_386,
     false,
     true,
     {{1, 2, VALUE}, /* 32, PC32 */
      {6, 6, GOT},   /* GLOB_DAT */
      {7, 7, SLOT},
      {8, 8, SKIP},
      {5, 5, COPY},
      {14, 14, TLS_IE}, /* TLS_TPOFF */
      {35, 36, TLS_GD},
      {37, 37, TLS_IE}, /* TLS_TPOFF32 */
      {38, 38, OTHER},  /* SIZE32 */
      {41, 41, TLS_DESC},
      {42, 42, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_AARCH64,
     true,
     false,
     {{257, 257, VALUE}, /* ABS64 */
      {258, 258, OTHER}, /* ABS32 */
      {1025, 1025, GOT}, /* GLOB_DAT */
      {1026, 1026, SLOT},
      {1027, 1027, SKIP},
      {1024, 1024, COPY},
      {1028, 1029, TLS_GD},
      {1030, 1030, TLS_IE},
      {1031, 1031, TLS_DESC},
      {1032, 1032, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_AARCH64,
     false,
     false,
     {{1, 1, VALUE},   /* P32_ABS32 */
      {181, 181, GOT}, /* P32_GLOB_DAT */
      {182, 182, SLOT},
      {183, 183, SKIP},
      {180, 180, COPY},
      {184, 185, TLS_GD},
      {186, 186, TLS_IE},
      {187, 187, TLS_DESC},
      {188, 188, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_ARM,
     false,
     true,
     {{2, 2, VALUE}, /* ABS32 */
      {1, 1, OTHER}, /* PC24 */
      {21, 21, GOT}, /* GLOB_DAT */
      {22, 22, SLOT},
      {23, 23, SKIP},
      {20, 20, COPY},
      {17, 18, TLS_GD},
      {19, 19, TLS_IE},
      {13, 13, TLS_DESC},
      {160, 160, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_RISCV,
     true,
     false,
     {{2, 2, VALUE},
      {5, 5, SLOT},
      {3, 3, SKIP},
      {4, 4, COPY},
      {7, 7, TLS_GD},
      {9, 9, TLS_GD},
      {11, 11, TLS_IE},
      {12, 12, TLS_DESC},
      {58, 58, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_RISCV,
     false,
     false,
     {{1, 1, VALUE},
      {5, 5, SLOT},
      {3, 3, SKIP},
      {4, 4, COPY},
      {6, 6, TLS_GD},
      {8, 8, TLS_GD},
      {10, 10, TLS_IE},
      {12, 12, TLS_DESC},
      {58, 58, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_S390,
     true,
     false,
     {{22, 22, VALUE}, /* 64 */
      {23, 23, OTHER}, /* PC64 */
      {10, 10, GOT},   /* GLOB_DAT */
      {11, 11, SLOT},
      {12, 12, SKIP},
      {9, 9, COPY},
      {1, 1, OTHER},   /* 8 */
      {3, 5, OTHER},   /* 16, 32, PC32 */
      {16, 17, OTHER}, /* PC16, PC16DBL */
      {19, 19, OTHER}, /* PC32DBL */
      {54, 55, TLS_GD},
      {56, 56, TLS_IE},
      {61, 61, IRELATIVE},
      {0, 0, SKIP}}},
    {EM_PPC64, true, false, {{38, 38, VALUE}, /* ADDR64 */
                             {20, 20, GOT},   /* GLOB_DAT */
                             {21, 21, SLOT},        {22, 22, SKIP},
                             {19, 19, COPY},        {68, 68, TLS_GD}, /* DTPMOD64 */
                             {78, 78, TLS_GD},                        /* DTPREL64 */
                             {73, 73, TLS_IE},                        /* TPREL64 */
                             {69, 72, OTHER_IE},                      /* TPREL16, _LO, _HI, _HA */
                             {95, 100, OTHER_IE},                     /* TPREL16_DS … _HIGHESTA */
                             {112, 113, OTHER_IE},                    /* TPREL16_HIGH, _HIGHA */
                             {1, 9, OTHER},         /* ADDR32 … ADDR14_BRNTAKEN */
                             {24, 26, OTHER},       /* UADDR32, UADDR16, REL32 */
                             {37, 37, OTHER},       /* ADDR30 */
                             {43, 43, VALUE},       /* UADDR64 */
                             {39, 44, OTHER},       /* ADDR16_HIGHER … REL64 */
                             {56, 57, OTHER},       /* ADDR16_DS, ADDR16_LO_DS */
                             {110, 111, OTHER},     /* ADDR16_HIGH, ADDR16_HIGHA */
                             {247, 248, IRELATIVE}, /* JMP_IREL, IRELATIVE */
                             {0, 0, SKIP}}},
};

const struct wy_elf_reloc_types *wy_elf_reloc_types(uint16_t machine, bool is64) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].machine == machine && (tables[i].is64 == is64 || machine == EM_X86_64))
            return &tables[i];
    return NULL;
}

unsigned wy_elf_reloc_kind(const struct wy_elf_reloc_types *types, uint32_t type) {
    if (!types) /* 0 is NONE on every machine */
        return type ? WY_USE_ADDRESS : WY_RELOC_SKIP;
    for (const struct range *r = types->ranges; r->kind; r++)
        if (type >= r->low && type <= r->high)
            return r->kind;
    return WY_RELOC_UNKNOWN | WY_USE_ADDRESS;
}

bool wy_elf_reloc_has_rel(const struct wy_elf_reloc_types *types) {
    return !types || types->has_rel;
}
