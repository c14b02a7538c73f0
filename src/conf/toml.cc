extern "C" {
#include "conf/toml.h"
}

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

/* toml++ 3.3 asserts what damaged text may break (parse_key), and without assertions goes on
 * reading: a broken promise is made an error of the text. */
#undef NDEBUG
[[noreturn]] static void refuse() {
    throw std::logic_error("not understood");
}
#define TOML_ASSERT(promise) ((promise) ? void() : refuse())
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace {

struct taking {
    void (*take)(void *ctx, const struct wy_toml_entry *e);
    void *ctx;
    std::string key;

    void give(wy_toml_kind kind, const char *text, const toml::node &node) const {
        const wy_toml_entry entry = {kind, key.c_str(), text, node.source().begin.line};
        take(ctx, &entry);
    }

    void value(const toml::node &node, wy_toml_kind kind) const {
        const auto *text = node.as_string();
        if (text && text->get().find('\0') == std::string::npos)
            give(kind, text->get().c_str(), node);
        else
            give(WY_TOML_OTHER, nullptr, node);
    }
};

const toml::table *below(const toml::table *table, const char *name) {
    const toml::node *node = table && name ? table->get(name) : nullptr;
    return name ? (node ? node->as_table() : nullptr) : table;
}

} // namespace

static void give_all(const toml::table &table,
                     void (*take)(void *ctx, const struct wy_toml_entry *e), void *ctx) {
    for (const auto &[key, node] : table) {
        const taking t = {take, ctx, std::string{key.str()}};
        const auto *list = node.as_array();
        if (!list) {
            t.value(node, WY_TOML_TEXT);
            continue;
        }
        t.give(WY_TOML_LIST, nullptr, node);
        for (const auto &item : *list)
            t.value(item, WY_TOML_ITEM);
    }
}

/* No exception leaves it: its caller is C. */
extern "C" bool wy_toml_read(const char *text, size_t n, const char *parent, const char *name,
                             void (*take)(void *ctx, const struct wy_toml_entry *e), void *ctx,
                             bool *found, char error[WY_TOML_ERROR]) {
    try {
        const toml::table parsed = toml::parse(std::string_view{text, n});
        const toml::table *table = below(below(&parsed, parent), name);
        *found = table != nullptr;
        if (table)
            give_all(*table, take, ctx);
        return true;
    } catch (const toml::parse_error &e) {
        std::snprintf(error, WY_TOML_ERROR, "line %u: %.*s",
                      static_cast<unsigned>(e.source().begin.line),
                      static_cast<int>(e.description().size()), e.description().data());
    } catch (const std::exception &e) {
        std::snprintf(error, WY_TOML_ERROR, "%s", e.what());
    }
    return false;
}
