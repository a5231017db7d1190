/**
 * What all seeds of a run share, made once: the database engine, the corridors and the rates. What the program keeps in
 * its modules for good is filled here too, so that the first seed of a run finds it as the last one does.
 */
import type { Tx } from '../server/src/kernel/database.ts';
import { descriptorHash, storeDescriptors } from '../server/src/webhooks/descriptors.ts';
import { descriptorsFor } from '../server/src/webhooks/envelope.ts';
import { Chance } from './chance.ts';
import { type Engine, openEngine } from './database/engine.ts';
import { DatabaseHost } from './database/host.ts';
import { ProcessDatabase } from './database/port.ts';
import { SimulatedProcess } from './process.ts';
import { sealProcess } from './sealed/seal-process.ts';
import { VirtualTime } from './sealed/virtual-time.ts';
import { type Materials, readMaterials } from './service.ts';

export interface Workshop {
  readonly engine: Engine;
  readonly materials: Materials;
}

export async function openWorkshop(): Promise<Workshop> {
  const materials = await readMaterials();
  // Sealed from its first moment: a timer that the engine sets in real time would go off in the middle of a seed.
  const open = sealProcess(new VirtualTime(new Date(0)), new Chance('setup'));
  try {
    const engine = await openEngine();
    const nobody = new SimulatedProcess('setup', { onMishap: () => undefined });
    const db = new ProcessDatabase(new DatabaseHost(engine, new Chance('setup')), nobody);
    await db.inTx((tx) => rememberDescriptors(tx, materials));
    return { engine, materials };
  } finally {
    open();
  }
}

async function rememberDescriptors(tx: Tx, { catalogue }: Materials): Promise<void> {
  const fields = catalogue.payouts().flatMap((corridor) => corridor.recipientTypes.map(corridor.fields));
  await storeDescriptors(tx, fields);
  const facts = { accountId: '', eventId: '', event: '', objectType: '', objectId: '', object: '' };
  await descriptorsFor(tx, [{ ...facts, descriptors: fields.map(descriptorHash), createdAt: new Date(0) }]);
}
