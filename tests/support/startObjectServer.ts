/** An S3 server in this process, with one bucket, that can be stopped and restarted. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { freePort } from './startCluster';

export interface ObjectServer {
  /** `FILES_URL` of the bucket; by default with an access key that the server accepts. */
  urlOf(accessKey?: string): string;
  /** Keys of all objects. */
  keys(): string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server and deletes all objects. */
  close(): Promise<void>;
}

const bucket = 'sweepline';
const prefix = 'fleet/';
const suffix = '._S3rver_object';

export async function startObjectServer(): Promise<ObjectServer> {
  const directory = mkdtempSync(join(tmpdir(), 'sweepline-objects-'));
  const port = await freePort();
  let server: S3rver | undefined;
  const start = async () => {
    const options = { port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: bucket }] };
    server = new S3rver(options as unknown as ConstructorParameters<typeof S3rver>[0]);
    await server.run();
  };
  const stop = async () => {
    await server?.close();
    server = undefined;
  };
  await start();
  return {
    urlOf: (accessKey = 'S3RVER') => `s3://${accessKey}:S3RVER@127.0.0.1:${port}/${bucket}/${prefix}?tls=false`,
    keys: () =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith(suffix))
        .map((path) => path.slice(prefix.length, -suffix.length))
        .sort(),
    start,
    stop,
    async close() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
