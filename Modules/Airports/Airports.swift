import CAirportCatalogue
import CGeoClue
import CZlib
