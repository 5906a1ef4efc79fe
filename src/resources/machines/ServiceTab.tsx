import './service.css';
import { useQueryClient } from '@tanstack/react-query';
import { isPermitted } from '../../crud/shared/entities';
import { can } from '../../providers/auth';
import { useLive } from '../../providers/useLive';
import { Costs } from './Costs';
import type { MachineRow } from './machineRow';
import { NextService } from './NextService';
import { ServiceHistory } from './ServiceHistory';

/** Next service, service history and costs. */
export function ServiceTab({ machine }: { machine: MachineRow }) {
  const client = useQueryClient();
  const invalidate = (...keys: string[][]) => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  useLive(`resource/machines/${machine.id}`, ({ payload }) => {
    if (payload && 'next_service_due' in payload) invalidate(['machines', 'service'], ['machines', 'costs']);
  });
  useLive('resource/service_entries', () => invalidate(['service_entries'], ['machines', 'costs']));
  useLive('resource/service_plans', () => invalidate(['machines', 'service']));
  return (
    <div className="sl-machine-tab">
      <NextService machine={machine} />
      {can('service_entries', 'list') && <ServiceHistory machine={machine} />}
      {isPermitted('machines.finance') && <Costs machine={machine} />}
    </div>
  );
}
