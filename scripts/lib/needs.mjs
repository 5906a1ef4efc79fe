/** Requirements of the tests beyond npm packages: Chromium, PostgreSQL programs, Mosquitto and HAProxy. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find(existsSync);

/** Path of Chromium: `CHROMIUM_PATH`, else that of the system. */
export const findChromium = () =>
  [process.env.CHROMIUM_PATH, ...browsers.map(onPath)].find((path) => path && existsSync(path));

/** Path of Chromium's headless shell, in which pages take a quarter less time. tests/support/browser.ts prefers it. */
const findHeadlessShell = () => onPath('chromium-headless-shell');

/** Folder that contains `initdb` and `postgres`, of the newest version. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => `${debian}/${version}/bin`), ...(process.env.PATH ?? '').split(':')].find(
    (folder) => existsSync(`${folder}/initdb`) && existsSync(`${folder}/postgres`),
  );
}

/** Path of the MQTT broker, which Debian installs in a folder that is on the PATH of root only. */
export const findMosquitto = () =>
  [onPath('mosquitto'), '/usr/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find((path) => path && existsSync(path));

/** Path of the reverse proxy. */
export const findHaproxy = () =>
  [onPath('haproxy'), '/usr/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find((path) => path && existsSync(path));

/**
 * Finds the required programs. As root on Debian, installs missing ones with apt-get and reports it. Returns a sentence
 * for each program that is still missing.
 */
export function providePrograms() {
  const needs = [
    {
      find: findChromium,
      debian: 'chromium',
      missing: 'Chromium is missing: install it, or name it in CHROMIUM_PATH.',
    },
    {
      find: findPostgres,
      debian: 'postgresql',
      missing: 'The programs of a PostgreSQL server (initdb, postgres) are missing: install PostgreSQL 15 or newer.',
    },
    {
      find: findMosquitto,
      debian: 'mosquitto',
      missing: 'The MQTT broker Mosquitto (mosquitto) is missing: install version 2.',
    },
    {
      find: findHaproxy,
      debian: 'haproxy',
      missing: 'The reverse proxy HAProxy (haproxy) is missing: install version 2.6 or newer.',
    },
  ];
  const missing = needs.filter(({ find }) => !find()).map(({ debian }) => debian);
  // Optional, so a failed installation must not affect the required packages.
  const optional = process.env.CHROMIUM_PATH || findHeadlessShell() ? [] : ['chromium-headless-shell'];
  if (process.getuid?.() === 0 && onPath('apt-get'))
    for (const packages of [missing, optional].filter(({ length }) => length > 0)) install(packages);
  if (findChromium())
    console.log(`Browser:    ${findChromium()}${findHeadlessShell() ? ' and its headless shell' : ''}`);
  if (findPostgres()) console.log(`PostgreSQL: ${findPostgres()} (${version(`${findPostgres()}/postgres`)})`);
  if (findMosquitto()) console.log(`Mosquitto:  ${findMosquitto()}`);
  if (findHaproxy()) console.log(`HAProxy:    ${findHaproxy()}`);
  return needs.filter(({ find }) => !find()).map(({ missing }) => missing);
}

function install(packages) {
  console.log(`Installing ${packages.join(', ')} with apt-get ...`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const timeLimits = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
  spawnSync('apt-get', ['update', '-q', ...timeLimits], options);
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...timeLimits, ...packages], options);
}

const version = (program) => execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
