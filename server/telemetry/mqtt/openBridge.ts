/**
 * Receives messages of VDA 5050 vehicles from an external broker (`MQTT_URL`). Shared subscriptions of MQTT 5 spread
 * them over numbered slots: persistent sessions with fixed client ids. A broker sends messages to the session of every
 * slot, connected or not, so a running process must claim each slot. A broker without shared subscriptions gets a
 * single one, slot 0, which one of the processes claims.
 */
import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../context/services';
import { advisoryLocks } from '../../db/core/advisoryLocks';
import { createVehicleReader } from './createVehicleReader';
import { offersSharedSubscriptions } from './offersSharedSubscriptions';
import { openSubscription, type Subscription } from './openSubscription';
import { planSlots } from './planSlots';
import { deleteSlot, markSubscribed, readSlots, type SlotRow, storeWantedSlots } from './slotRows';
import { slotTopics, vehicleTopics } from './topics';

/** Milliseconds between two checks of the claims. */
const claimInterval = 1000;
/** Milliseconds for messages in flight to end when a slot is handed over. */
const handoverTimeout = 2000;
const maxProcesses = 700;
const singleSlot: SlotRow = { slot: 0, is_wanted: true, subscribed_at: null };

/** Slot 0 has the claim of versions that knew only one subscription. */
const claimOf = (slot: number) => (slot === 0 ? advisoryLocks.mqttBridge : advisoryLocks.mqttSlots + slot);
const slotOf = (key: number) => (key === advisoryLocks.mqttBridge ? 0 : key - advisoryLocks.mqttSlots);

/** Connects in the background. Returns a function that hands over the slots and disconnects. */
export async function openBridge(services: Services, url: string): Promise<() => Promise<void>> {
  const { connect } = await import('mqtt');
  const { db, env, log, signingKey } = services;
  const read = createVehicleReader(services);
  // The same for all processes of an installation, and unique to it.
  const group = `sweepline-${createHash('sha256').update('mqtt').update(signingKey).digest('hex').slice(0, 12)}`;
  const subscriptions = new Map<number, Subscription>();
  /** Slots whose session is being ended; nothing else may touch their subscriptions meanwhile. */
  const endingSlots = new Set<number>();
  let previouslyFree: ReadonlySet<number> = new Set();
  let isShared: boolean | undefined;
  let processKey = 0;

  function openSlot(slot: number): Subscription {
    const subscription = openSubscription({
      connect,
      url,
      clientId: slot === 0 ? group : `${group}-${slot}`,
      topics: slot === 0 ? vehicleTopics : slotTopics(slot, group),
      protocolVersion: isShared ? 5 : 4,
      read,
      log,
    });
    subscriptions.set(slot, subscription);
    return subscription;
  }

  async function closeSlot(slot: number, wait: number): Promise<void> {
    const subscription = subscriptions.get(slot);
    subscriptions.delete(slot);
    await subscription?.close(wait);
  }

  /** Asks once whether the broker offers shared subscriptions. */
  async function detectSharedSubscriptions(): Promise<boolean> {
    if (isShared !== undefined) return isShared;
    const isOffered = await offersSharedSubscriptions(connect, url, group);
    if (isOffered === undefined) throw new Error('The MQTT broker does not respond.');
    if (isOffered) await storeWantedSlots(db, env.mqttSlots);
    isShared = isOffered;
    return isOffered;
  }

  /** Takes the claim by which other processes know that this one is running. */
  async function claimProcess(): Promise<void> {
    while (!(processKey && (await db.claim(processKey))))
      processKey = advisoryLocks.mqttProcesses + randomInt(maxProcesses);
  }

  async function endSlot(slot: number): Promise<void> {
    endingSlots.add(slot);
    const subscription = subscriptions.get(slot) ?? openSlot(slot);
    const hasEnded = await subscription.endSession();
    if (hasEnded) {
      await deleteSlot(db, slot);
      log.info({ slot }, 'a subscription at the MQTT broker was drained and ended');
    }
    if (subscriptions.get(slot) === subscription) subscriptions.delete(slot);
    await db.unclaim(claimOf(slot));
  }

  /** Opens the subscription of a slot that this process has claimed, or ends one that is no longer wanted. */
  async function updateSlot({ slot, is_wanted, subscribed_at }: SlotRow, isCovered: boolean): Promise<void> {
    if (endingSlots.has(slot)) return;
    if (is_wanted) {
      const subscription = subscriptions.get(slot) ?? openSlot(slot);
      if (slot > 0 && !subscribed_at && subscription.isSubscribed()) await markSubscribed(db, slot);
    } else if (isCovered)
      void endSlot(slot)
        .catch((err: unknown) => log.warn({ err, slot }, 'a subscription at the MQTT broker could not be ended'))
        .finally(() => endingSlots.delete(slot));
  }

  async function update(): Promise<void> {
    const rows = (await detectSharedSubscriptions()) ? await readSlots(db) : [singleSlot];
    await claimProcess();
    const allClaims = await db.claims(advisoryLocks.mqttBridge, advisoryLocks.mqttProcesses + maxProcesses);
    const processes = allClaims.filter(({ key }) => key >= advisoryLocks.mqttProcesses);
    const slots = rows.map(({ slot }) => slot);
    const claims = allClaims.filter(({ key }) => slots.includes(slotOf(key)));
    const self = processes.find(({ isOurs }) => isOurs)?.pid ?? 0;
    const holders = new Map(claims.map(({ key, pid }) => [slotOf(key), pid]));
    const plan = planSlots({
      slots,
      holders,
      processes: processes.map(({ pid }) => pid),
      self,
      previouslyFree,
    });
    previouslyFree = new Set(slots.filter((slot) => !holders.has(slot)));
    const ownSlots = new Set(slots.filter((slot) => holders.get(slot) === self));
    for (const slot of plan.claims) if (await db.claim(claimOf(slot))) ownSlots.add(slot);
    // Closes the others: another process may have claimed them by now.
    await Promise.all(
      [...subscriptions.keys()].filter((slot) => !ownSlots.has(slot)).map((slot) => closeSlot(slot, 0)),
    );
    for (const slot of plan.releases.filter((released) => !endingSlots.has(released))) {
      await closeSlot(slot, handoverTimeout);
      await db.unclaim(claimOf(slot));
      ownSlots.delete(slot);
    }
    const isCovered = rows.some(({ slot, is_wanted, subscribed_at }) => slot > 0 && is_wanted && subscribed_at);
    for (const row of rows) if (ownSlots.has(row.slot)) await updateSlot(row, isCovered);
  }

  async function closeAll(wait: number): Promise<void> {
    await Promise.all([...subscriptions.keys()].map((slot) => closeSlot(slot, wait)));
  }

  const stopController = new AbortController();
  const updateLoop = (async () => {
    while (!stopController.signal.aborted) {
      await update().catch(async (err: unknown) => {
        log.warn({ err }, 'the subscriptions at the MQTT broker could not be updated; it will be tried again');
        // Without the database our claims are lost, and messages could not be stored.
        await closeAll(0);
      });
      await sleep(claimInterval, undefined, { signal: stopController.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopController.abort();
    await updateLoop;
    const heldSlots = [...subscriptions.keys()];
    await closeAll(handoverTimeout);
    for (const key of [...heldSlots.map(claimOf), processKey]) await db.unclaim(key).catch(() => undefined);
  };
}
