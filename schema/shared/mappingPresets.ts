/**
 * Mappings for vendors whose messages are documented, based on the following sources.
 *
 * Gausium: the vendor's "Task Report Push", "V1 Get Robot Status" and "V2 Get S Robot Status"; words and their meanings
 * from github.com/inorbit-ai/inorbit-robot-connectors, `2026-08-20-canonical-cleaning-datasources.md` (MIT). Pudu: the
 * callbacks and the cleaning log of its cloud API, with real responses in github.com/telmekom/robotics-api.
 */
import type { MessageMapping } from '../dsl/messageMapping';

export const integrationPresets = ['gausium', 'pudu', 'custom'] as const;
export type IntegrationPreset = (typeof integrationPresets)[number];

const gausiumModes = {
  洗地: 'scrub',
  滚刷洗地: 'scrub',
  尘推: 'dust_mop',
  快速尘推: 'dust_mop',
  低速尘推: 'dust_mop',
  静音推尘: 'dust_mop',
  布刷尘推: 'dust_mop',
  抛光: 'polish',
  深度抛光: 'polish',
  结晶模式: 'polish',
  吸尘: 'vacuum',
  吸风清洁: 'vacuum',
  suction_cleaning: 'vacuum',
  扫地: 'sweep',
  喷雾消毒: 'disinfect',
  '*': 'other',
};

/**
 * Pushed reports (wrapped, times in milliseconds) and responses of the report calls (single or in a list, times in ISO
 * 8601).
 */
const gausium: MessageMapping = {
  runs: {
    each: ['$.payload.taskReport', '$.taskReports[*]', '$.robotTaskReports[*]', '$'],
    machine: ['robotSerialNumber', '$.payload.serialNumber'],
    fields: {
      external_id: 'id',
      task_id: 'taskId',
      task_name: 'displayName',
      started_at: 'startTime',
      ended_at: 'endTime',
      outcome: {
        path: 'taskEndStatus',
        words: { 0: 'completed_or_partial', 1: 'aborted', 2: 'failed', 3: 'failed' },
      },
      mode: { path: 'cleaningMode', words: gausiumModes },
      planned_area_m2: 'plannedCleaningAreaSquareMeter',
      cleaned_area_m2: 'actualCleaningAreaSquareMeter',
      duration_s: 'durationSeconds',
      water_l: 'waterConsumptionLiter',
      battery_start: 'startBatteryPercentage',
      battery_end: 'endBatteryPercentage',
      operator: 'operator',
      consumables: 'consumablesResidualPercentage',
    },
  },
  states: {
    each: ['$.payload.robotStatus', '$.robotStatuses[*]', '$'],
    machine: ['serialNumber', '$.payload.serialNumber'],
    ignored: { path: 'online', words: { false: 'true', '*': 'false' } },
    fields: {
      at: { path: 'latestReportTime', unit: 'unix_ms' },
      status: { path: 'taskState', words: { RUNNING: 'cleaning', IDLE: 'parked', '*': 'online' } },
      mode: { path: 'currentTask.manualControlling', words: { true: 'manual', false: 'robotic' } },
      charging: 'battery.charging',
      battery: 'battery.powerPercentage',
      speed: { path: 'speedKilometerPerHour', unit: 'km/h' },
      error: { path: 'emergencyStop.enabled', words: { true: 'emergency_stop', '*': '' } },
    },
  },
};

/** Callbacks of the cloud (`callback_type`), and rows of its cleaning log, single or in a page. */
const pudu: MessageMapping = {
  runs: {
    each: ['$.data.list[*]', '$.data', '$'],
    machine: ['sn', '$.sn'],
    ignored: { path: 'status', words: { 0: 'true', 1: 'true', 2: 'true', '*': 'false' } },
    fields: {
      external_id: 'report_id',
      task_id: 'task_id',
      task_name: 'task_name',
      started_at: { path: 'start_time', unit: 'unix_s' },
      ended_at: { path: 'end_time', unit: 'unix_s' },
      reported_at: ['notify_timestamp', 'timestamp'],
      outcome: {
        path: 'status',
        words: { 3: 'aborted', 4: 'completed_or_partial', 5: 'failed', 6: 'aborted' },
      },
      mode: { path: 'mode', words: { 1: 'scrub', 2: 'sweep', '*': 'other' } },
      planned_area_m2: 'task_area',
      cleaned_area_m2: 'clean_area',
      duration_s: 'clean_time',
      water_l: { path: 'cost_water', unit: 'ml' },
    },
  },
  states: {
    each: ['$.data'],
    machine: 'sn',
    ignored: { path: ['run_state', 'run_status'], words: { offline: 'true', '*': 'false' } },
    fields: {
      at: ['notify_timestamp', 'timestamp'],
      status: {
        path: ['run_state', 'run_status'],
        words: { idle: 'parked', disable: 'parked', '*': 'online' },
      },
      charging: { path: 'is_charging', words: { 1: 'true', '*': 'false' } },
      battery: ['battery', 'power', 'extend_info.battery'],
      error: 'error_type',
      message: 'error_detail',
    },
  },
};

export const mappingPresets: Record<IntegrationPreset, MessageMapping> = { gausium, pudu, custom: {} };
