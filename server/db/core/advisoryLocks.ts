/**
 * Keys of all advisory locks, which share one space per database. Keys must differ: a process may hold a claim
 * (`Database.claim`) as long as it runs, and another use of the same key would wait that long. The key of a claim must
 * never change, because processes of two versions must agree on it.
 */
export const advisoryLocks = {
  migrations: 7_335_112_001,
  baseRows: 7_335_112_002,
  admins: 7_335_112_003,
  offlineSweep: 7_335_112_010,
  events: 7_335_112_020,
  /** Seed of the hash of a device's id. */
  unknownDevice: 7_335_112_030,
  demoHistory: 7_335_112_031,
  /** Claim of the process that runs the demo's simulator. */
  simulator: 7_335_112_040,
  /** Claim of the process with the only subscription at an MQTT broker that offers no shared ones. */
  mqttBridge: 7_335_112_050,
  /** Shared by replays; exclusive while old messages move from the database to the object storage. */
  messageObjects: 7_335_112_054,
  /** Claim of the process that moves files and old messages to the object storage. */
  objectMover: 7_335_112_053,
  partitions: 7_335_112_051,
  demo: 7_335_112_052,
  /** Claim of the process that evaluates alert rules. */
  alerts: 7_335_112_060,
  alertEvaluation: 7_335_112_061,
  fleetSums: 7_335_112_062,
  derivedRuns: 7_335_112_063,
  /** Seed of the hash of a kind of findings. */
  inbox: 7_335_112_070,
  /** Claims of shared subscriptions at an MQTT broker: this key plus the slot, 1 to 64. */
  mqttSlots: 7_335_112_100,
  /** Claims of the processes that share those slots: this key plus a random number below 700. */
  mqttProcesses: 7_335_112_200,
} as const;
