/* A failure of whyso itself: not a finding. It travels up as a value and is printed once. */
#ifndef WY_BASE_ERROR_H
#define WY_BASE_ERROR_H

/* NULL means success. `message` is one line: which file, where in it, what was expected. */
struct wy_error {
    char *message;
};

/* Caller owns the result; free with wy_error_free (NULL is accepted). */
struct wy_error *wy_errorf(const char *format, ...) __attribute__((format(printf, 1, 2)));
void wy_error_free(struct wy_error *e);

#define WY_TRY(call)                                                                               \
    do {                                                                                           \
        struct wy_error *wy_try_error_ = (call);                                                   \
        if (wy_try_error_)                                                                         \
            return wy_try_error_;                                                                  \
    } while (0)

#endif
