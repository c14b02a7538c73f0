#include "rule/near_miss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void the_name_of_a_function_ends_before_its_parameters(void **state) {
    (void)state;
    static const struct {
        const char *mangled, *name;
    } cases[] = {
        {"_ZN3c105ErrorC2ENS_14SourceLocationESs", "_ZN3c105ErrorC2E"},
        {"_ZN3c104cuda9SetDeviceEa", "_ZN3c104cuda9SetDeviceE"},
        {"_ZNK5torch3jit6Module5trainEb", "_ZNK5torch3jit6Module5trainE"},
        {"_ZN2at6TensorIfLi3EE3getEi", "_ZN2at6TensorIfLi3EE3getE"},
        {"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", ""},
        {"_Z3fooi", "_Z3foo"},
        {"_ZN3fo", ""},
        {"_ZN99foo", ""},
        {"_ZN3fooI3barE", ""},
        {"cudaMalloc", ""},
        {"_Z", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = wy_mangled_name(wy_str_of(cases[i].mangled));
        struct wy_str got = {cases[i].mangled, n};
        if (!wy_str_is(got, cases[i].name))
            fail_msg("%s: %zu bytes", cases[i].mangled, n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_of_a_function_ends_before_its_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
