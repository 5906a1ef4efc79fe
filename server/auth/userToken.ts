/** User token: tells the browser who is logged in. Grants nothing; only the session token does. */
import { sql } from 'drizzle-orm';
import { SignJWT } from 'jose';
import type { Caller } from '../context/caller';
import { ApiError } from '../context/errors';
import type { Services } from '../context/services';
import { collatedSql } from '../db/core/columns';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';
import { sessionSeconds } from './sessions';

interface Claims extends Record<string, unknown> {
  id: number;
  first_name: string;
  last_name: string;
  image: string | null;
  email: string;
  phone: string | null;
  language: { id: number; name: string } | null;
  countries: { id: number; name: string }[];
  roles: string[];
  permissions: string[];
  allow_sms: boolean;
  allow_email: boolean;
  impersonated_by?: string;
  /** Name of the wall whose token this is. */
  wall?: string;
}

/**
 * Signs a JWT (RFC 7519) with exactly the fields of the contract. `impersonatorId` is the impersonating user,
 * whose name is added as `impersonated_by`.
 */
export async function signUserToken(
  { signingKey, now }: Signing,
  db: Queries,
  userId: number,
  impersonatorId?: number,
): Promise<string> {
  const row = await db.selectOne({ claims: pg.json<Claims>() }, userClaimsSql(userId, impersonatorId));
  if (!row) throw ApiError.notFound();
  return sign({ signingKey, now }, row.claims);
}

/**
 * User token of a wall, with permissions but nothing about its owner: anybody may stand in front of the screen. Its id
 * is negative, so it belongs to no user.
 */
export const signWallToken = (services: Signing, caller: Caller, name: string): Promise<string> =>
  sign(services, {
    id: -(caller.tokenId ?? 0),
    first_name: '',
    last_name: '',
    image: null,
    email: '',
    phone: null,
    language: null,
    countries: [],
    roles: [],
    permissions: [...caller.permissions].sort(),
    allow_sms: false,
    allow_email: false,
    wall: name,
  });

type Signing = Pick<Services, 'signingKey' | 'now'>;

const sign = ({ signingKey, now }: Signing, claims: Claims): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(Math.floor(now().getTime() / 1000) + sessionSeconds)
    .sign(signingKey);

const userClaimsSql = (userId: number, impersonatorId: number | undefined) => sql`
  select json_build_object(
    'id', u.id, 'first_name', u.first_name, 'last_name', u.last_name, 'image', u.image, 'email', u.email, 'phone',
    u.phone,
    'language', (select json_build_object('id', l.id, 'name', l.name) from languages l where l.id = u.language_id),
    'countries', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name)
    order by ${collatedSql(sql`c.name`)}), '[]')
      from users_countries k join countries c on c.id = k.countries_id and c.deleted_at is null
      where k.users_id = u.id),
    'roles', (select coalesce(json_agg(r.name order by r.id), '[]')
      from users_roles k join roles r on r.id = k.roles_id and r.deleted_at is null where k.users_id = u.id),
    'permissions', (select coalesce(json_agg(distinct p.code_name order by p.code_name), '[]')
      from users_roles k join roles r on r.id = k.roles_id and r.deleted_at is null
      join roles_permissions rp on rp.roles_id = r.id
      join permissions p on p.id = rp.permissions_id and p.deleted_at is null where k.users_id = u.id),
    'allow_sms', u.allow_sms, 'allow_email', u.allow_email
  )${
    impersonatorId === undefined
      ? sql``
      : sql`::jsonb || jsonb_build_object('impersonated_by',
    (select concat_ws(' ', first_name, last_name) from users where id = ${impersonatorId}))`
  } as claims from users u
      where u.id = ${userId} and u.deleted_at is null`;
