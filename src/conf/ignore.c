#include "conf/conf.h"

struct wy_error *wy_conf_ignore(struct wy_arena *a, const char *text, struct whyso_ignore *ret) {
    struct wy_str glob, rule = wy_str_cut(wy_str_of(text), ':', &glob);
    if (rule.n == 0 || (glob.p && glob.n == 0))
        return wy_errorf("--ignore takes RULE or RULE:GLOB, not '%s'", text);
    *ret = (struct whyso_ignore){wy_arena_str(a, rule), glob.p ? wy_arena_str(a, glob) : NULL};
    return NULL;
}
