/* The list of rules. A new rule is one file, one line here, one page in data/explain, one test. */
#include "rule/internal.h"

const struct wy_rule wy_rules[] = {
    {"base-python", wy_rule_base_python},
    {"import-order", wy_rule_import_order}, /* before those whose findings it replaces */
    {"bad-file", wy_rule_bad_file},
    {"wrong-machine", wy_rule_wrong_machine},
    {"wrong-libc", wy_rule_wrong_libc},
    {"wrong-python", wy_rule_wrong_python},
    {"isa-level", wy_rule_isa_level},
    {"noexec-mount", wy_rule_noexec_mount},
    {"gutted-package", wy_rule_gutted_package},
    {"broken-link", wy_rule_broken_link},
    {"missing-file", wy_rule_missing_file},
    {"overwritten-file", wy_rule_overwritten_file}, /* others follow from it */
    {"out-of-reach", wy_rule_out_of_reach},
    {"wrong-generation", wy_rule_wrong_generation},
    {"driver-missing", wy_rule_driver_missing},
    {"driver-stub", wy_rule_driver_stub},
    {"missing-library", wy_rule_missing_library},
    {"missing-version", wy_rule_missing_version},
    {"undefined-symbol", wy_rule_undefined_symbol}, /* and abi-mismatch */
    {"static-tls", wy_rule_static_tls},
    {"exec-stack", wy_rule_exec_stack},
    {"shadowed-library", wy_rule_shadowed_library},
    {"shadowed-module", wy_rule_shadowed_module},
    {"cwd-dependent", wy_rule_cwd_dependent},
    {"dlopen-missing", wy_rule_dlopen_missing},
    {"split-family", wy_rule_split_family},
    {"duplicate-runtime", wy_rule_duplicate_runtime},
    {"shared-path", wy_rule_shared_path},
    {"unreadable", wy_rule_unreadable},
    {"generation-mix", wy_rule_generation_mix},
    {"leftover", wy_rule_leftover},
    {"mixed-managers", wy_rule_mixed_managers},
    {"unmet-requirement", wy_rule_unmet_requirement},
    {"duplicate-package", wy_rule_duplicate_package},
    {"preload-ignored", wy_rule_preload_ignored},
    {"not-modelled", wy_rule_not_modelled},
    {NULL, NULL},
};

void wy_rules_run(struct wy_case *c) {
    c->wants = wy_wants_create(c);
    for (const struct wy_rule *r = wy_rules; r->name; r++)
        r->run(c);
    wy_name_system_owners(c);
}

void wy_case_deinit(struct wy_case *c) {
    wy_wants_destroy(c->wants);
    wy_vec_free(&c->findings);
}
