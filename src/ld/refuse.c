/* Which files the loader skips, stops at, or dies of: docs/loader.md A5, in the order of
 * elf/dl-load.c (open_verify, then _dl_map_object_from_fd). */
#include "ld/musl.h"

#include <errno.h>

enum { EI_CLASS = 4, EI_DATA, EI_VERSION, EI_OSABI, EI_ABIVERSION, EI_PAD, EI_NIDENT = 16 };
enum { OSABI_SYSV = 0, OSABI_GNU = 3, ET_EXEC = 2, ET_DYN = 3, PF_X = 1 };
enum {
    EM_386 = 3,
    EM_S390 = 22,
    EM_ARM = 40,
    EM_X86_64 = 62,
    EM_AARCH64 = 183,
    EM_PPC64 = 21,
    EM_RISCV = 243
};
#define DF_1_NOOPEN UINT64_C(0x40)
#define DF_1_PIE UINT64_C(0x08000000)

static struct ld_verdict fatal(const char *text) {
    return (struct ld_verdict){WY_HIT_FATAL, text, 0};
}

/* The ABI that e_flags name: where the loader has one of several, others are foreign files
 * (elf_machine_matches_host of sysdeps/riscv and sysdeps/powerpc/powerpc64). */
static bool right_abi(const struct wy_host *host, const struct wy_elf *elf) {
    enum { RISCV_FLOAT_ABI = 6, PPC64_ABI = 3 };
    if (host->machine == EM_RISCV)
        return (elf->eflags & RISCV_FLOAT_ABI) == (host->eflags & RISCV_FLOAT_ABI);
    if (host->machine == EM_PPC64 && (elf->eflags & PPC64_ABI))
        return (elf->eflags & PPC64_ABI) == (host->big_endian ? 1 : 2);
    return true;
}

/* e_machine as a process of the host reads it, whatever the file says of its byte order. */
static bool right_machine(const struct wy_host *host, const struct wy_elf *elf) {
    uint16_t machine = elf->machine;
    if (elf->big_endian != host->big_endian)
        machine = (uint16_t)(machine << 8 | machine >> 8);
    return machine == host->machine;
}

/* Debian's glibc (patch for ARM multilib) looks at e_machine before the rest of e_ident. */
static bool judges_machine_first(const struct wy_host *host) {
    return host->ndefault_dirs && strstr(host->default_dirs[0], "-linux-gnu");
}

/* Highest EI_ABIVERSION + 1 for ELFOSABI_GNU (libc-abis, VALID_ELF_ABIVERSION). */
static unsigned abi_versions(const struct wy_host *host) {
    return host->machine == EM_X86_64 ? 4 : 3;
}

static const char *ident_text(const struct wy_host *host, const uint8_t *ident) {
    if (ident[EI_DATA] != (host->big_endian ? 2 : 1))
        return host->big_endian ? "ELF file data encoding not big-endian"
                                : "ELF file data encoding not little-endian";
    if (ident[EI_VERSION] != 1)
        return "ELF file version ident does not match current one";
    if (ident[EI_OSABI] != OSABI_SYSV && ident[EI_OSABI] != OSABI_GNU)
        return "ELF file OS ABI invalid";
    if (ident[EI_ABIVERSION] &&
        (ident[EI_OSABI] != OSABI_GNU || ident[EI_ABIVERSION] >= abi_versions(host)))
        return "ELF file ABI version invalid";
    for (int i = EI_PAD; i < EI_NIDENT; i++)
        if (ident[i])
            return "nonzero padding in e_ident";
    return NULL;
}

/* Up to 2.35 a file for another system, or for a newer kernel than the running one, was skipped
 * (NT_GNU_ABI_TAG, elf/dl-load.c). */
static bool barred_by_abi_tag(const struct wy_host *host, const struct wy_elf *elf) {
    if (!elf->has_abi_tag || host->libc_minor == 0 || host->libc_minor > 35)
        return false;
    uint32_t kernel =
        (elf->abi_tag[1] & 0xff) << 16 | (elf->abi_tag[2] & 0xff) << 8 | (elf->abi_tag[3] & 0xff);
    return elf->abi_tag[0] != 0 || (host->kernel && kernel > host->kernel);
}

/* From 2.44 the program headers are read when the file is mapped (_dl_map_object_scan_phdrs). */
static bool reads_phdrs_late(const struct wy_host *host) {
    return host->libc_minor == 0 || host->libc_minor >= 44;
}

struct ld_verdict ld_verdict_open(const struct wy_host *host, const struct wy_image *image) {
    const struct wy_elf *elf = &image->elf;
    if (elf->kind == WY_ELF_UNREADABLE)
        return (struct ld_verdict){WY_HIT_FATAL, "cannot read file data", elf->read_error};
    if (elf->file_size < (host->is64 ? 64 : 52))
        return fatal("file too short");
    if (elf->kind == WY_ELF_NOT)
        return fatal("invalid ELF header");
    if (elf->ident[EI_CLASS] != (host->is64 ? 2 : 1))
        return (struct ld_verdict){WY_HIT_WRONG_CLASS, NULL, 0};
    /* machine is 0 when the byte order was no use for reading it */
    if (judges_machine_first(host) && elf->machine && !right_machine(host, elf))
        return (struct ld_verdict){WY_HIT_WRONG_MACHINE, NULL, 0};
    const char *text = ident_text(host, elf->ident);
    if (text)
        return fatal(text);
    if (elf->version != 1)
        return fatal("ELF file version does not match current one");
    if (!right_machine(host, elf) || !right_abi(host, elf))
        return (struct ld_verdict){WY_HIT_WRONG_MACHINE, NULL, 0};
    if (elf->type != ET_DYN && elf->type != ET_EXEC)
        return fatal("only ET_DYN and ET_EXEC can be loaded");
    if (elf->phentsize != (host->is64 ? 56 : 32))
        return fatal("ELF file's phentsize not the expected size");
    if (elf->kind == WY_ELF_BAD_PHDRS && !reads_phdrs_late(host))
        return fatal("cannot read file data");
    if (barred_by_abi_tag(host, elf))
        return (struct ld_verdict){WY_HIT_WRONG_MACHINE, NULL, 0};
    return (struct ld_verdict){WY_HIT_TAKEN, NULL, 0};
}

/* The rule for p_align was relaxed in 2.35. */
static const char *alignment_text(const struct wy_host *host, const struct wy_elf *elf) {
    uint64_t page = host->page_size - 1;
    bool old = host->libc_minor && host->libc_minor <= 34;
    for (size_t i = 0; i < elf->nloads; i++) {
        const struct wy_elf_load *l = &elf->loads[i];
        if (old && (l->align & page))
            return "ELF load command alignment not page-aligned";
        if (old && l->align && ((l->vaddr - l->offset) & (l->align - 1)))
            return "ELF load command address/offset not properly aligned";
        if (!old && ((l->vaddr - l->offset) & page))
            return "ELF load command address/offset not page-aligned";
    }
    return NULL;
}

/* DF_1_PIE is refused since 2.30; what the program needs at its start may have DF_1_NOOPEN. */
static const char *flags_text(const struct wy_host *host, const struct wy_elf *elf, bool startup) {
    bool knows_pie = host->libc_minor == 0 || host->libc_minor >= 30;
    if (knows_pie && (elf->flags_1 & DF_1_PIE))
        return "cannot dynamically load position-independent executable";
    if (!startup && (elf->flags_1 & DF_1_NOOPEN))
        return "shared object cannot be dlopen()ed";
    return NULL;
}

const char ld_no_code_here[] = "failed to map segment from shared object";

/* mmap(2) of a segment of code gives EPERM there; one without code is mapped. */
bool ld_holds_no_code(const struct wy_host *host, const struct wy_image *image) {
    if (!image->mount || !image->mount->noexec || host->options.foreign)
        return false;
    for (size_t i = 0; i < image->elf.nloads; i++)
        if (image->elf.loads[i].flags & PF_X)
            return true;
    return false;
}

struct ld_verdict ld_verdict_map(const struct wy_host *host, const struct wy_image *image,
                                 bool startup) {
    const struct wy_elf *elf = &image->elf;
    if (elf->kind == WY_ELF_BAD_PHDRS)
        return fatal("cannot read file data");
    const char *text = alignment_text(host, elf);
    if (text)
        return fatal(text);
    if (!elf->nloads)
        return fatal("object file has no loadable segments");
    if (elf->type == ET_EXEC)
        return fatal("cannot dynamically load executable");
    if (!elf->has_dynamic)
        return fatal("object file has no dynamic section");
    if (ld_holds_no_code(host, image))
        return fatal(ld_no_code_here);
    text = flags_text(host, elf, startup);
    return text ? fatal(text) : (struct ld_verdict){WY_HIT_TAKEN, NULL, 0};
}

/* Without a PT_GNU_STACK the default of the machine counts (DEFAULT_STACK_PERMS). */
bool wy_ld_wants_exec_stack(const struct wy_image *image) {
    const struct wy_elf *elf = &image->elf;
    if (elf->has_gnu_stack)
        return elf->gnu_stack_flags & PF_X;
    switch (elf->machine) {
    case EM_386:
    case EM_S390:
    case EM_ARM:
    case EM_X86_64:
    case EM_PPC64:
        return true;
    default:
        return false;
    }
}

/* Who is granted an executable stack since 2.41: commit 0ca8785a28. */
enum { FOR_NOBODY, AT_START, FOR_ALL };

/* FOR_ALL came with 2.42, and with the branch of fixes of 2.41. */
static uint64_t stack_grant(const struct wy_host *host) {
    if (host->libc_minor < 41)
        return FOR_ALL;
    return ld_tunable(host, "glibc.rtld.execstack", FOR_NOBODY, FOR_ALL, AT_START);
}

bool wy_ld_refuses_exec_stack(const struct wy_host *host) {
    return stack_grant(host) != FOR_ALL;
}

bool ld_refuses_exec_stack_at_start(const struct wy_host *host) {
    return stack_grant(host) == FOR_NOBODY;
}

/* Whether any byte of a range of the file lies on a page that the file does not reach. A page that
 * holds its last byte is filled with zeros and does no harm. */
static bool past_end(const struct wy_host *host, const struct wy_elf *elf, uint64_t offset,
                     uint64_t size) {
    uint64_t page = host->page_size - 1, end = (elf->file_size + page) & ~page;
    return size && (offset >= end || size > end - offset);
}

/* File offset of an address, unlike wy_elf_offset also past the end of the file. */
static bool place_of(const struct wy_elf *elf, uint64_t vaddr, uint64_t *offset) {
    for (size_t i = elf->nloads; i-- > 0;) {
        const struct wy_elf_load *l = &elf->loads[i];
        if (vaddr >= l->vaddr && vaddr - l->vaddr < l->filesz) {
            *offset = l->offset + (vaddr - l->vaddr);
            return true;
        }
    }
    return false;
}

static bool table_past_end(const struct wy_host *host, const struct wy_elf *elf, uint64_t vaddr,
                           uint64_t size) {
    uint64_t offset;
    return vaddr && place_of(elf, vaddr, &offset) && past_end(host, elf, offset, size);
}

/* The rest of the last page of a segment with p_memsz > p_filesz is zeroed (_dl_map_segments). */
static bool zeroing_past_end(const struct wy_host *host, const struct wy_elf *elf) {
    for (size_t i = 0; i < elf->nloads; i++) {
        const struct wy_elf_load *l = &elf->loads[i];
        uint64_t end = l->vaddr + l->filesz;
        if (l->memsz > l->filesz && l->filesz && (end & (host->page_size - 1)) &&
            past_end(host, elf, l->offset + l->filesz - 1, 1))
            return true;
    }
    return false;
}

static bool cut_off(const struct wy_host *host, const struct wy_elf *elf) {
    for (size_t i = 0; i < elf->nloads; i++)
        if (past_end(host, elf, elf->loads[i].offset, elf->loads[i].filesz))
            return true;
    return false;
}

bool ld_crashes_mapping(const struct wy_host *host, const struct wy_image *image) {
    const struct wy_elf *elf = &image->elf;
    if (elf->kind != WY_ELF_OK || !cut_off(host, elf))
        return false;
    /* a dynamic section out of reach leaves no string table behind */
    return zeroing_past_end(host, elf) || (elf->has_dynamic && !elf->strtab) ||
           table_past_end(host, elf, elf->strtab, elf->strsz);
}

bool ld_crashes_later(const struct wy_host *host, const struct wy_image *image) {
    const struct wy_elf *elf = &image->elf;
    if (elf->kind != WY_ELF_OK || !cut_off(host, elf))
        return false;
    return table_past_end(host, elf, elf->symtab, 1) ||
           table_past_end(host, elf, elf->gnu_hash, 1) ||
           table_past_end(host, elf, elf->rela, elf->relasz) ||
           table_past_end(host, elf, elf->rel, elf->relsz) ||
           table_past_end(host, elf, elf->jmprel, elf->pltrelsz) ||
           table_past_end(host, elf, elf->relr, elf->relrsz);
}

/* Bits of GNU_PROPERTY_X86_ISA_1_NEEDED: baseline, v2, v3, v4 (sysdeps/x86/dl-prop.h). */
bool ld_lacks_isa(const struct wy_host *host, const struct wy_image *image) {
    if (host->machine != EM_X86_64 || !host->cpu_level)
        return false;
    if (host->libc_minor && host->libc_minor < 33)
        return false;
    if (!image->elf.has_property && (host->libc_minor == 0 || host->libc_minor >= 44))
        return false; /* PT_NOTE is not looked at any more */
    return image->elf.isa_needed & ~((UINT32_C(1) << host->cpu_level) - 1);
}

const char *wy_ld_refuses(const struct wy_host *host, const struct wy_image *image,
                          bool main_program, enum wy_hit *hit) {
    *hit = WY_HIT_TAKEN;
    if (image->assumed)
        return NULL;
    if (host->libc == WY_LIBC_MUSL && !main_program)
        return ld_musl_refuses(host, image, hit);
    struct ld_verdict v = ld_verdict_open(host, image);
    bool program = main_program && image->elf.is_static_pie_or_exec && image->elf.kind == WY_ELF_OK;
    if (v.hit == WY_HIT_TAKEN && !program)
        v = ld_verdict_map(host, image, main_program);
    *hit = v.hit;
    if (v.hit == WY_HIT_WRONG_CLASS)
        return host->is64 ? "wrong ELF class: ELFCLASS32" : "wrong ELF class: ELFCLASS64";
    if (v.hit == WY_HIT_WRONG_MACHINE)
        return "cannot open shared object file: No such file or directory";
    if (v.hit == WY_HIT_FATAL)
        return v.err == EIO ? "cannot read file data: Input/output error" : v.text;
    *hit = WY_HIT_FATAL;
    if (ld_crashes_mapping(host, image) || ld_crashes_later(host, image))
        return "Bus error: the file is shorter than its segments";
    if (!main_program && wy_ld_wants_exec_stack(image) && wy_ld_refuses_exec_stack(host))
        return "cannot enable executable stack as shared object requires: Invalid argument";
    if (ld_lacks_isa(host, image))
        return "CPU ISA level is lower than required";
    *hit = WY_HIT_TAKEN;
    return NULL;
}
