#include "CAirportCatalogue.h"
