/** Dockerfile, compose.yaml and the systemd unit refer only to things that exist, and start the same as `npm start`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readEnv } from '../../server/context/env';
import { root } from '../support/sources';

interface Service {
  build?: string;
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
}

const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const { services, volumes } = parse(readText('compose.yaml')) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const server = services.server1 as Service;
/** Instructions of the Dockerfile, in order. */
const instructions = readText('Dockerfile')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ name: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }));
const valuesOf = (name: string) =>
  instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
const command = JSON.parse(valuesOf('CMD')[0] ?? '[]') as string[];

test('compose.yaml names files, services, volumes and variables that exist', () => {
  for (const [name, { volumes: mounts = [], depends_on = [], build, image }] of Object.entries(services)) {
    expect(Boolean(build) !== Boolean(image), name).toBe(true);
    const dependencies = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    expect(dependencies.filter((dependency) => !services[dependency])).toEqual([]);
    const sources = mounts.map((mount) => mount.split(':')[0] as string);
    expect(
      sources.filter((source) => !(source.startsWith('./') ? existsSync(join(root, source)) : source in volumes)),
    ).toEqual([]);
  }
  const environment = Object.fromEntries(
    Object.entries(server.environment ?? {}).map(([name, value]) => [name, substituteVariables(value)]),
  );
  const readme = readText('README.md');
  expect(Object.keys(environment).filter((name) => !readme.includes(name))).toEqual([]);
  const env = readEnv(environment);
  expect(env).toMatchObject({ demo: false, shutdownDelay: 5, metricsToken: 'given' });
  expect(services.server2).toEqual(server);
});

/** Replaces `${NAME:?}` and `${NAME:-default}` as Compose does. */
const substituteVariables = (text: string): string =>
  text.replaceAll(/\$\{\w+(?::-([^}]*)|:\?)\}/g, (_, fallback: string | undefined) => fallback ?? 'given');

test('the image starts the same as `npm start`', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: { start: string } };
  expect(command.join(' ')).toBe(scripts.start);
  expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM']);
});

test('the systemd unit starts the same as the image', () => {
  const unit = readText('deploy/systemd/sweepline@.service');
  const [, startCommand] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  expect(startCommand?.replace('/usr/bin/node', 'node').replace('/opt/sweepline/', '')).toBe(command.join(' '));
});

test('the image is built by scripts of package.json', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const steps = valuesOf('RUN').filter((step) => step.startsWith('npm '));
  expect(steps.map((step) => step.split(' ').slice(0, 3).join(' '))).toEqual([
    'npm ci --ignore-scripts',
    'npm run build',
    'npm prune --omit=dev',
  ]);
  expect(scripts.build).toBeDefined();
});
