/** Reads and checks every environment variable, once. No other module of the server reads `process.env`. */
import { problemOf } from '../../schema/dsl/checks';
import { type ObjectStorageSettings, parseFilesUrl } from './objectStorage';

export interface Env {
  port: number;
  host: string;
  dataDir: string;
  /** PostgreSQL in place of the embedded database. */
  databaseUrl?: string;
  /** Read replicas of `databaseUrl`, for lists, reports, exports, maps and history. */
  databaseReadUrl?: string;
  /** Runs the demo: its fleet, the simulator, and one login per role on the login page. */
  demo: boolean;
  /** Whether the simulator sends messages of the demo's machines. */
  demoSimulator: boolean;
  /** Whether some machines of the demo report every few seconds; the others report every few minutes. */
  demoLively: boolean;
  /** The first Admin of an empty database. Without a password, the server prints a set-up link. */
  admin: { email?: string; password?: string };
  /** Prefix of links in mails and QR codes, without trailing slash. */
  publicUrl: string;
  smtpUrl?: string;
  mailFrom: string;
  smsUrl?: string;
  /** Hosts in private networks that webhooks may reach, with or without port. */
  webhookAllow: readonly string[];
  /** 0: no broker. */
  mqttPort: number;
  mqttUrl?: string;
  /** Number of shared subscriptions at the broker of `mqttUrl`; unset: the number that the installation already has. */
  mqttSlots?: number;
  /** VDA 5050 action types that count as cleaning. */
  cleaningActions: readonly string[];
  /** 0: no separate port for OsmAnd. */
  osmandPort: number;
  /** 0: no separate port for `/metrics`. */
  metricsPort: number;
  /** Token that opens `/metrics`. Without a token and without a separate port, `/metrics` does not exist. */
  metricsToken?: string;
  /**
   * Seconds between SIGTERM and closing the port. Meanwhile `/readyz` answers 503, and other calls are still served.
   */
  shutdownDelay: number;
  /** Retention of observations in days. */
  observationDays: number;
  /** Object storage for files and old raw messages; unset: both stay in the database. */
  objectStorage?: ObjectStorageSettings;
  /** Age in days at which files move to the object storage. */
  filesAfterDays: number;
  /** Age in days at which raw messages move to the object storage. */
  rawDaysInDatabase: number;
  /** Retention of raw messages in days, wherever they are stored. */
  rawMessageDays: number;
  tileUrl?: string;
  tileAttribution?: string;
  geocoderUrl?: string;
  rateLimit: boolean;
  logLevel: string;
  /** Origins of other web apps that may call the API. */
  corsOrigins: readonly string[];
  /** Addresses or networks whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: readonly string[];
  /** OpenID Connect provider that users may sign in with. */
  oidc?: { issuer: string; clientId: string; clientSecret: string };
  /** The server's own secret (`loadSigningKey.ts`); generated and stored in `dataDir` unless set. */
  secret?: string;
}

/** Mail domain of the demo users. */
export const demoDomain = 'demo.sweepline.example';

/**
 * VDA 5050 leaves the names of action types to manufacturers. Each word stands for a family of names that contain it.
 */
const defaultCleaningActions = [
  ...['clean', 'sweep', 'scrub', 'vacuum', 'mop', 'wash', 'wipe', 'polish', 'burnish', 'disinfect', 'sanitize'],
  // Names that vendors also write without separators, such as `startcleaning`.
  ...['startCleaning', 'startSweeping', 'startScrubbing', 'startVacuuming', 'startMopping', 'floorCleaning'],
];

/** Lower limit of OBSERVATION_DAYS: battery curves and tracks look back over weeks. */
const minObservationDays = 60;

/** Upper limit of SHUTDOWN_DELAY: supervisors kill a process that takes longer to end. */
const maxShutdownDelay = 300;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads the environment.
 * @throws one error that names every invalid variable
 */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  const problems: string[] = [];
  const text = (name: string) =>
    variables[name] === undefined || variables[name].trim() === '' ? undefined : variables[name];
  const parseEnv = <T>(name: string, fallback: T, parse: (value: string) => T | undefined, expectation: string): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    const result = parse(value);
    if (result === undefined) problems.push(`${name} must be ${expectation}.`);
    return result ?? fallback;
  };
  const port = (name: string, fallback: number) =>
    parseEnv(
      name,
      fallback,
      (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined),
      'a port number',
    );
  const flag = (name: string, fallback: boolean) =>
    parseEnv(name, fallback, (value) => flags[value.toLowerCase()], 'on or off (1 or 0)');
  const url = (name: string, protocols: readonly string[]) =>
    parseEnv<string | undefined>(
      name,
      undefined,
      (value) => (isUrl(value, protocols) ? value : undefined),
      `a URL that begins with ${protocols.join(' or ')}`,
    );
  const list = (name: string) => (text(name) ?? '').split(/[\s,]+/).filter(Boolean);

  const postgresUrl = (name: string) =>
    parseEnv<string | undefined>(
      name,
      undefined,
      (value) => (/^postgres(ql)?:\/\/\S+$/.test(value) ? value : undefined),
      'a URL that begins with postgres://',
    );

  const databaseUrl = postgresUrl('DATABASE_URL');
  const host = text('HOST') ?? '127.0.0.1';
  const listenPort = port('PORT', 8080);
  const env: Env = {
    port: listenPort,
    host,
    dataDir: text('DATA_DIR') ?? './data',
    databaseUrl,
    databaseReadUrl: postgresUrl('DATABASE_READ_URL'),
    demo: flag('SWEEPLINE_DEMO', databaseUrl === undefined),
    demoSimulator: flag('SWEEPLINE_DEMO_SIMULATOR', true),
    demoLively: flag('SWEEPLINE_DEMO_LIVELY', true),
    admin: {
      email: parseEnv<string | undefined>(
        'SWEEPLINE_ADMIN_EMAIL',
        undefined,
        (value) => validValue('email', value),
        'an e-mail address',
      ),
      password: parseEnv<string | undefined>(
        'SWEEPLINE_ADMIN_PASSWORD',
        undefined,
        (value) => validValue('password', value),
        '8 to 128 characters with an upper and a lower case letter, a digit and one of ! @ # $ %',
      ),
    },
    publicUrl: parseEnv(
      'PUBLIC_URL',
      `http://${host.includes(':') ? `[${host}]` : host}:${listenPort}`,
      (value) => (isUrl(value, webProtocols) ? originOf(value) : undefined),
      'the address of a host without a path, such as https://fleet.example.org',
    ),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text('MAIL_FROM') ?? 'Sweepline <no-reply@sweepline.example>',
    smsUrl: url('SMS_URL', webProtocols),
    webhookAllow: list('WEBHOOK_ALLOW'),
    mqttPort: port('MQTT_PORT', 1883),
    mqttUrl: url('MQTT_URL', ['mqtt:', 'mqtts:', 'ws:', 'wss:']),
    mqttSlots: parseEnv<number | undefined>(
      'MQTT_SLOTS',
      undefined,
      (value) => (/^\d{1,2}$/.test(value) && isSlotCount(Number(value)) ? Number(value) : undefined),
      'a number from 1 to 64',
    ),
    cleaningActions: text('CLEANING_ACTIONS') ? list('CLEANING_ACTIONS') : defaultCleaningActions,
    osmandPort: port('OSMAND_PORT', 0),
    metricsPort: port('METRICS_PORT', 0),
    metricsToken: text('METRICS_TOKEN'),
    observationDays: parseEnv(
      'OBSERVATION_DAYS',
      3653,
      daysFrom(minObservationDays),
      `a number of days, ${minObservationDays} at least`,
    ),
    objectStorage: parseEnv<ObjectStorageSettings | undefined>(
      'FILES_URL',
      undefined,
      (value) =>
        parseFilesUrl(value, {
          accessKeyId: text('AWS_ACCESS_KEY_ID'),
          secretAccessKey: text('AWS_SECRET_ACCESS_KEY'),
        }),
      's3://key:secret@host/bucket, or without key and secret if AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set',
    ),
    filesAfterDays: parseEnv('FILES_AFTER_DAYS', 1, daysFrom(0), 'a number of days'),
    rawDaysInDatabase: parseEnv('RAW_DAYS_IN_DATABASE', 30, daysFrom(1), 'a number of days, 1 at least'),
    rawMessageDays: parseEnv(
      'RAW_MESSAGE_DAYS',
      text('FILES_URL') ? 365 : 30,
      daysFrom(1),
      'a number of days, 1 at least',
    ),
    shutdownDelay: parseEnv(
      'SHUTDOWN_DELAY',
      0,
      (value) => (/^\d{1,3}$/.test(value) && Number(value) <= maxShutdownDelay ? Number(value) : undefined),
      `a number of seconds, ${maxShutdownDelay} at most`,
    ),
    tileUrl: url('TILE_URL', webProtocols),
    tileAttribution: text('TILE_ATTRIBUTION'),
    geocoderUrl: url('GEOCODER_URL', webProtocols),
    rateLimit: flag('RATE_LIMIT', true),
    logLevel: parseEnv(
      'LOG_LEVEL',
      'info',
      (value) => logLevels.find((level) => level === value),
      `one of ${logLevels.join(', ')}`,
    ),
    corsOrigins: list('CORS_ORIGINS'),
    trustedProxies: list('TRUSTED_PROXIES'),
    secret: text('SWEEPLINE_SECRET'),
  };
  if (env.databaseReadUrl && !text('DATABASE_URL'))
    problems.push('DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas.');
  const issuer = url('OIDC_ISSUER', webProtocols);
  const [clientId, clientSecret] = [text('OIDC_CLIENT_ID'), text('OIDC_CLIENT_SECRET')];
  if (issuer && clientId && clientSecret) env.oidc = { issuer, clientId, clientSecret };
  else if (issuer || clientId || clientSecret)
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together.');
  if (env.demo && env.admin.password && env.admin.email?.toLowerCase().endsWith(`@${demoDomain}`))
    problems.push(
      `SWEEPLINE_ADMIN_EMAIL: addresses at ${demoDomain} belong to the people of the demo. ` +
        `Choose another one, or set SWEEPLINE_DEMO=0.`,
    );
  if (env.admin.password && !env.admin.email) problems.push('SWEEPLINE_ADMIN_PASSWORD needs SWEEPLINE_ADMIN_EMAIL.');
  for (const origin of env.corsOrigins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      problems.push(`CORS_ORIGINS: ${origin} is not an origin such as https://example.org.`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return env;
}

const isSlotCount = (count: number) => count >= 1 && count <= 64;
const webProtocols = ['https:', 'http:'];
const flags: Record<string, boolean> = {
  1: true,
  on: true,
  true: true,
  yes: true,
  0: false,
  off: false,
  false: false,
  no: false,
};
const daysFrom = (min: number) => (value: string) =>
  /^\d{1,5}$/.test(value) && Number(value) >= min ? Number(value) : undefined;
const isUrl = (value: string, protocols: readonly string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);
/** Origin of a URL; `undefined` if more than a slash follows it. */
const originOf = (value: string) => {
  const { href, origin } = new URL(value.trim());
  return href === `${origin}/` ? origin : undefined;
};
const validValue = (kind: 'email' | 'password', value: string) =>
  problemOf({ kind, required: true }, value) ? undefined : value;
