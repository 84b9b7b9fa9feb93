// Kills the unit of the calling process if the lab requested a kill at this place.
import { perhapsDie } from './lab-state.mjs';

perhapsDie(process.argv[2]);
