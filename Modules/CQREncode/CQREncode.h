#pragma once

// Debian: libqrencode-dev.
#include <qrencode.h>
