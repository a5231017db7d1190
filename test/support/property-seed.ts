/**
 * Property tests draw from one seed, so that a run of the tests can be repeated and a change is judged by itself.
 * `PROPERTY_SEED=7 npm test` looks elsewhere; fast-check prints seed and path of what it finds.
 */
import fc from 'fast-check';

const USUAL_SEED = 20_261_115;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? USUAL_SEED) });
