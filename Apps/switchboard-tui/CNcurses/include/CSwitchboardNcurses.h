// A terminal drawn by ncursesw: cells out, keys in, and the terminal as it was afterwards, whatever happens.
//
// One terminal a process, used by one thread, but for the handlers of signals inside.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SB_TERMINAL_OK = 0,
    SB_TERMINAL_UNKNOWN = 1,    // terminfo does not know TERM
    SB_TERMINAL_TOO_SIMPLE = 2, // it cannot place its cursor
    SB_TERMINAL_FAILED = 3      // no memory, or the terminal is gone
} sb_terminal_status;

// Takes the terminal over: alternate screen, keys one by one, mouse, pasted text in brackets.
// `wants_colours` 0: no code for a colour is ever written. `colours` becomes how many there are, 0 for none.
sb_terminal_status sb_terminal_open(int wants_colours, int *colours);

// Gives the terminal back as it was. Harmless when it is not held.
void sb_terminal_close(void);

// Gives the terminal back, stops the process group as Ctrl-Z does, and takes the terminal again when it goes on.
void sb_terminal_suspend(void);

// Takes the terminal again after the process was stopped by somebody else: all is drawn anew.
void sb_terminal_retake(void);

// The size the terminal has now, and makes the drawing follow it.
void sb_terminal_size(int *columns, int *rows);

// Defines a pair of colours, from 1; -1 is the terminal's own colour.
void sb_terminal_pair(int pair, int foreground, int background);

enum { SB_BOLD = 1, SB_DIM = 2, SB_REVERSE = 4, SB_UNDERLINE = 8 };

// Draws one character of `count` scalars, the first of which takes `width` columns (1 or 2), the others none.
void sb_terminal_put(int row, int column, const uint32_t *scalars, int count, int width, int attributes, int pair);

// Puts the cursor there and brings what has changed to the terminal. `is_visible` 0 hides the cursor.
void sb_terminal_show(int row, int column, int is_visible);

// Everything is written anew by the next sb_terminal_show.
void sb_terminal_redraw(void);

typedef enum {
    SB_KEY_NONE = 0, // nothing was pressed
    SB_KEY_SCALAR,   // `value` is a Unicode scalar, also a control character
    SB_KEY_UP, SB_KEY_DOWN, SB_KEY_LEFT, SB_KEY_RIGHT, SB_KEY_HOME, SB_KEY_END, SB_KEY_PAGE_UP, SB_KEY_PAGE_DOWN,
    SB_KEY_BACK_TAB, SB_KEY_BACKSPACE, SB_KEY_DELETE, SB_KEY_ENTER,
    SB_KEY_FUNCTION, // `value` is its number
    SB_KEY_PASTE_BEGINS, SB_KEY_PASTE_ENDS,
    SB_KEY_MOUSE,    // `row`, `column`, and `value`: one of SB_MOUSE_…
    SB_KEY_OTHER     // one without a meaning here
} sb_key_kind;

enum { SB_MOUSE_OTHER = 0, SB_MOUSE_PRESS = 1, SB_MOUSE_DOUBLE = 2, SB_MOUSE_WHEEL_UP = 3, SB_MOUSE_WHEEL_DOWN = 4 };

typedef struct {
    sb_key_kind kind;
    uint32_t value;
    int row, column;
} sb_key;

// The next key, without waiting for one. (An ESC is waited after for 25 ms, as it may begin a key.)
sb_key sb_terminal_key(void);

// A descriptor from which a byte can be read for each signal of SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP and SIGCONT:
// its number. Whoever writes a 0 to sb_terminal_waker wakes the reader. -1 if it cannot be made.
int sb_terminal_signals(void);
int sb_terminal_waker(void);

// Whether standard input is gone or `descriptor` or standard input has something to read; waits for it, at most `milliseconds`
// (-1: for ever). Bit 1: standard input can be read, bit 2: the descriptor, bit 4: standard input has hung up.
int sb_terminal_wait(int descriptor, int milliseconds);

// Ends the process as the signal does.
void sb_terminal_die(int number);
