/** Whose import is worked on next: one person's queue keeps nobody else waiting. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { type Turn, Turns } from '../../server/features/imports/turns';
import { type TestApp, testApp } from '../support/app';
import { importFile } from '../support/imports';
import { addWorld, type World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await testApp();
  world = await addWorld(app.db);
});
afterAll(() => app.close());

/** An import that the server itself leaves alone. */
async function put(userId: number): Promise<number> {
  const made = await app.db.selectOne(
    { id: pg.integer },
    sql`
    with own as (insert into imports (file_name, resource, user_id, mode, state) values ('a.csv', 'machines', ${userId}::int, 'upsert', 'checked') returning id)
    insert into import_jobs (import_id, settings) select id, '{}' from own returning import_id as id`,
  );
  return (made as { id: number }).id;
}

test('turns go round between people, none of whom has two at a time', async () => {
  const [a, b, c] = [world.admin, world.north.users.partner, world.south.users.partner];
  for (const user of [a, a, a, a, b, b, c]) await put(user);
  const order = [a, b, c];
  const turns = new Turns(app.db, { worker: 'test', states: ['checked'], patience: 15 });
  const end = async (turn: Turn | undefined) => {
    await app.db.rows(
      sql`update import_jobs set worker = null, worked_at = null where import_id = ${turn?.id as number}`,
    );
    await app.db.rows(sql`update imports set state = 'done' where id = ${turn?.id as number}`);
    turns.end(turn as Turn);
  };
  // Both lanes ask at the same moment and still get different people.
  const both = await Promise.all([turns.next(), turns.next()]);
  expect(both.map((turn) => order.indexOf(turn?.userId as number))).toEqual([0, 1]);
  await end(both[1]);
  const third = await turns.next();
  await end(third);
  await end(both[0]);
  const rest: (Turn | undefined)[] = [];
  for (let turn = await turns.next(); turn; turn = await turns.next()) {
    rest.push(turn);
    await end(turn);
  }
  expect([third, ...rest].map((turn) => order.indexOf(turn?.userId as number))).toEqual([2, 0, 1, 0, 0]);
  expect(new Set([...both, third, ...rest].map((turn) => turn?.id)).size).toBe(7);
});

test('a second import of somebody waits although nobody else has one', async () => {
  for (const user of [world.admin, world.admin]) await put(user);
  const turns = new Turns(app.db, { worker: 'test', states: ['checked'], patience: 15 });
  const first = await turns.next();
  expect([first?.userId, await turns.next()]).toEqual([world.admin, undefined]);
  await app.db.rows(sql`delete from imports where state = 'checked'`);
});

test('the one file of somebody is read before the many of somebody else', async () => {
  const queued: number[] = [];
  const send = async (text: string) => {
    const boundary = 'sweepline-boundary';
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${text}\r\n--${boundary}--\r\n`;
    const { status, body: answer } = await app.call<{ data: { id: number } }>(
      world.admin,
      'POST',
      'machines/import?dry_run=1',
      body,
      {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    );
    expect(status).toBe(202);
    queued.push(answer.data.id);
  };
  const large = `serial_number,fleet_id,type_id\n${Array.from({ length: 3000 }, (_, index) => `Q-${index},${world.north.fleets[0]},${world.type}\n`).join('')}`;
  for (let index = 0; index < 12; index += 1) await send(large);
  const one = await importFile(app, world.north.users.partner, 'machines', 'serial_number\nNorth-111\n');
  expect(one.data.state).toBe('checked');
  const waiting = await app.db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from imports where id = any(${sql.param(queued)}::int[]) and state = 'waiting'`,
  );
  expect(waiting?.n).toBeGreaterThanOrEqual(4);
  for (const id of queued) await app.call(world.admin, 'POST', `imports/${id}/cancel`);
});
