/* Folders that tests make for themselves. */
#ifndef WY_TESTS_FOLDER_H
#define WY_TESTS_FOLDER_H

/* The folder and all in it, links not followed. 0, or not 0 when something stays. */
int remove_folder(const char *path);

#endif
