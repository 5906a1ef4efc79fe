/** The dashboard's figures, each as the list that proves it: what is counted there is exactly what its link shows. */
import type { StateName } from './entities/machines';

export const counters = ['total_users', 'new_users', 'inactive_users', 'total_companies', 'new_companies'] as const;
export type Counter = (typeof counters)[number];

/** Days for which a user or company is new, and days since the last login after which a user is inactive. */
export const counterDays: Record<Counter, number> = { total_users: 0, new_users: 30, inactive_users: 90, total_companies: 0, new_companies: 30 };

/** A list and what it is filtered by, as the dialect writes filters. */
export interface Proof {
  resource: 'users' | 'clients' | 'machines';
  filter: Record<string, string | boolean>;
  /** The field that comes first with its lowest value. */
  sort?: string;
}

/** The list behind a counter, on the given day (`YYYY-MM-DD`, UTC). */
export function proofOf(counter: Counter, today: string): Proof {
  const day = new Date(Date.parse(`${today}T00:00:00Z`) - counterDays[counter] * 86_400_000).toISOString().slice(0, 10);
  const proofs: Record<Counter, Proof> = {
    total_users: { resource: 'users', filter: {} },
    new_users: { resource: 'users', filter: { created_at: `>=${day}` } },
    inactive_users: { resource: 'users', filter: { last_login: `<=${day}` } },
    total_companies: { resource: 'clients', filter: {} },
    new_companies: { resource: 'clients', filter: { created_at: `>=${day}` } },
  };
  return proofs[counter];
}

/** The list behind the number of machines in a state; dummies belong to no total. */
export const stateProof = (state: StateName): Proof => ({ resource: 'machines', filter: { status: state, is_dummy: false } });

/** Machines that are due for service within so many days, those that are late included; and those that are late. */
export const services = ['service_due', 'service_overdue'] as const;
export type ServiceFigure = (typeof services)[number];
export const serviceDays = 30;

/** The list behind a figure of service, on the given day (`YYYY-MM-DD`, UTC); what is retired or a dummy is not serviced. */
export function serviceProof(figure: ServiceFigure, today: string): Proof {
  const last = Date.parse(`${today}T00:00:00Z`) + (figure === 'service_due' ? serviceDays : -1) * 86_400_000;
  const filter = { next_service_due: `<=${new Date(last).toISOString().slice(0, 10)}`, stock_state: 'in_stock,deployed,in_repair', is_dummy: false };
  return { resource: 'machines', filter, sort: 'next_service_due' };
}

/** `GET /dashboard`: what the caller reaches, counted. */
export type DashboardFigures = Record<Counter | ServiceFigure, number> & { states: Record<StateName, number> };

/** From busy to silent, as the dashboard shows them. */
export const stateOrder: readonly StateName[] = ['Cleaning', 'Charging', 'Parked', 'Online', 'Offline'];
