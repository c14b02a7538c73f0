/* Help shows only what works. */
#include "cli/cli.h"

static void put_options(struct wy_buf *out, const struct wy_option *o) {
    for (; o && (o->letter || o->name); o++) {
        if (!o->help)
            continue;
        wy_auto_buf left = {0};
        if (o->letter)
            wy_buf_printf(&left, "-%c%s", o->letter, o->name ? ", " : "");
        else
            wy_buf_str(&left, "    ");
        if (o->name)
            wy_buf_printf(&left, "--%s", o->name);
        if (o->value)
            wy_buf_printf(&left, " %s", o->value);
        wy_buf_printf(out, "  %-21s %s\n", wy_buf_text(&left), o->help);
    }
}

void wy_help_program(struct wy_buf *out) {
    wy_buf_str(out, "whyso reads a Python environment from disk, runs none of it, and says what\n"
                    "its shared libraries will do.\n\n"
                    "usage: whyso [options] COMMAND [options] [arguments]\n\n");
    for (const struct wy_command *c = wy_commands; c->name; c++)
        if (c->run)
            wy_buf_printf(out, "  %-9s %s\n", c->name, c->line);
    wy_buf_str(out,
               "\nThe environment is --env, else $VIRTUAL_ENV, $CONDA_PREFIX, the nearest .venv,\n"
               "or python3 on PATH. The first line of an answer says which.\n\noptions\n");
    put_options(out, wy_global_options);
    wy_buf_str(out, "\nexamples\n"
                    "  whyso check\n"
                    "  whyso -e /srv/app/.venv why libcudnn.so.9\n"
                    "  whyso check --format json | jq .causes\n"
                    "\nexit status: 0 nothing found, 1 something found, 2 no answer\n"
                    "whyso help COMMAND tells more about one command.\n");
}

void wy_help_command(struct wy_buf *out, const struct wy_command *c) {
    wy_buf_printf(out, "whyso %s: %s\n\nusage: whyso [options] %s%s%s\n\n%s\n", c->name, c->line,
                  c->name, *c->usage ? " " : "", c->usage, c->text);
    if (c->options) {
        wy_buf_str(out, "\noptions\n");
        put_options(out, c->options);
    }
    wy_buf_printf(out, "\nexamples\n%s\nOptions that every command takes: whyso --help\n",
                  c->examples);
}
