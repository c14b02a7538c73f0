/* One entry point per fuzz target, called by libFuzzer and by replay.c alike. */
#ifndef WY_FUZZ_H
#define WY_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. A broken promise of the reader ends the process (abort). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
