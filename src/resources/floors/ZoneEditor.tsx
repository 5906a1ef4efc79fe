import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { isWithinPlan, type Point, polygonArea } from '../../../schema/dsl/polygons';
import { useLeaveGuard } from '../../crud/record/useLeaveGuard';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { PlanBox } from '../../map/plan/PlanBox';
import { PlanLegend } from '../../map/plan/PlanLegend';
import { PlanPicture } from '../../map/plan/PlanPicture';
import { PlanView } from '../../map/plan/PlanView';
import { areaOf, type PlanFloor } from '../../map/plan/planPlaces';
import { isClosable, ZoneLayer } from '../../map/plan/ZoneLayer';
import { addZone, changeZone, freeName, outlineProblem, splitZone, type ZoneRow } from '../../map/plan/zoneDrafts';
import { useDialogCall } from '../../ui/useDialogCall';
import { useToast } from '../../ui/useToast';
import { FloorHelp } from './FloorHelp';
import { saveZones, ZoneConflict } from './saveZones';
import { useZoneDrafts } from './useZoneDrafts';
import { ZoneForm } from './ZoneForm';
import { ZoneTools } from './ZoneTools';

/** Editor that draws, moves, splits and deletes zones on the plan of a floor. Stores nothing until the user saves. */
export function ZoneEditor({ floor, stored }: { floor: PlanFloor; stored: readonly ZoneRow[] }) {
  const translate = useTranslate();
  const language = useLanguage();
  const notify = useToast();
  const client = useQueryClient();
  const {
    drafts,
    changes,
    isDirty,
    canUndo,
    change: changeDrafts,
    undo,
    reset,
    recordStored,
    acceptConflict,
  } = useZoneDrafts(stored);
  const [selectedKey, select] = useState<string>();
  const [dividingLine, setDividingLine] = useState<readonly [Point, Point]>();
  const [isSplitUseless, setSplitUseless] = useState(false);
  const [focus, setFocus] = useState<{ index: number }>();
  const typedFieldRef = useRef('');
  const { run, isBusy, problem, setProblem } = useDialogCall();
  useLeaveGuard(isDirty);

  const { zones, newOutline } = drafts;
  const selectedZone = zones.find(({ key }) => key === selectedKey);
  const editedOutline = newOutline ?? selectedZone?.polygon;
  const editedOutlineProblem = editedOutline && outlineProblem(editedOutline);
  const invalidZone = zones.find(({ polygon, name }) => outlineProblem(polygon) || name.trim() === '');
  const changedOutlines = [...changes.created, ...changes.changed.map(({ body }) => body)].flatMap(
    ({ polygon }) => polygon ?? [],
  );
  const isOutsidePlan = !isWithinPlan([...changedOutlines, ...(newOutline ?? [])], floor);
  const planZones = zones.map((zone, index) => ({ ...zone, id: zone.id ?? -index - 1 }));
  const area = areaOf(floor, stored as readonly { polygon: Point[] }[]);

  const change: typeof changeDrafts = (next, isContinued) => {
    // The end of the save discards the drafts, so a later change would be lost.
    if (isBusy) return;
    typedFieldRef.current = '';
    changeDrafts(next, isContinued);
  };
  const changeSelected = (changedValues: Partial<(typeof zones)[number]>, isContinued = false) => {
    if (selectedZone) change({ zones: changeZone(zones, selectedZone.key, changedValues) }, isContinued);
  };
  const handleForm = (changedValues: Partial<(typeof zones)[number]>) => {
    // Consecutive changes of one field are one undo step.
    const field = `${selectedKey} ${Object.keys(changedValues)[0]}`;
    changeSelected(changedValues, typedFieldRef.current === field);
    typedFieldRef.current = field;
  };
  const draw = (corners: readonly Point[], isContinued: boolean) => change({ zones, newOutline: corners }, isContinued);
  const addCorner = () => {
    const last = newOutline?.at(-1);
    draw(
      [...(newOutline ?? []), last ? [last[0] + 1, last[1]] : [area.x + area.width / 2, area.y + area.height / 2]],
      false,
    );
    setFocus({ index: newOutline?.length ?? 0 });
  };
  const finish = () => {
    if (!isClosable(newOutline)) return;
    const name = freeName(zones, translate('resources.zones.name', { smart_count: 1 }));
    const next = addZone(zones, { name, kind: 'clean', every_days: null, polygon: newOutline });
    change({ zones: next });
    select(next.at(-1)?.key);
    setFocus(undefined);
  };
  const startSplit = () => {
    if (!selectedZone) return;
    const { x, y, width, height } = areaOf(undefined, [selectedZone]);
    setDividingLine([
      [x + width / 2, y - height / 10],
      [x + width / 2, y + height * 1.1],
    ]);
    setSplitUseless(false);
  };
  const split = () => {
    const nextZones = dividingLine && selectedZone && splitZone(zones, selectedZone.key, ...dividingLine);
    setSplitUseless(!nextZones);
    if (!nextZones) return;
    change({ zones: nextZones });
    setDividingLine(undefined);
  };
  const save = () =>
    run(async () => {
      setProblem(undefined);
      try {
        await saveZones(floor.id, changes, recordStored);
        reset();
        notify('success', translate('floors.zones_saved'));
      } catch (error) {
        if (!(error instanceof ZoneConflict)) throw error;
        acceptConflict(error);
        setProblem(translate(error.message, { name: error.zone.name }));
      } finally {
        await client.invalidateQueries({ queryKey: ['zones'] });
      }
    });

  return (
    <div className="sl-floor">
      <div className="sl-floor-plan">
        <ZoneTools
          mode={newOutline ? 'draw' : dividingLine ? 'split' : 'choose'}
          hasSelection={selectedZone !== undefined}
          canFinish={isClosable(newOutline)}
          canUndo={canUndo}
          canSave={isDirty && !newOutline && !invalidZone && !isOutsidePlan && !isBusy}
          isDirty={isDirty}
          onDraw={() => {
            select(undefined);
            draw([], false);
          }}
          onCorner={addCorner}
          onFinish={finish}
          onSplit={dividingLine ? split : startSplit}
          onCancel={() => (dividingLine ? setDividingLine(undefined) : change({ zones }))}
          onDelete={() => {
            if (selectedZone) change({ zones: zones.filter((zone) => zone !== selectedZone) });
          }}
          onUndo={() => {
            if (isBusy) return;
            typedFieldRef.current = '';
            undo();
          }}
          onReset={() => {
            setProblem(undefined);
            reset();
          }}
          onSave={() => void save()}
        />
        <PlanBox>
          <PlanView label={translate('floors.plan_of', { name: floor.name })} floor={floor} points={cornersOf(stored)}>
            <ZoneLayer
              zones={zones}
              newOutline={newOutline}
              selected={selectedZone}
              line={dividingLine}
              focus={focus}
              onSelect={select}
              onOutline={(polygon, isContinued) => changeSelected({ polygon }, isContinued)}
              onDrawn={draw}
              onLine={setDividingLine}
              onFocus={(index) => setFocus({ index })}
              onFinish={finish}
            />
          </PlanView>
          <PlanPicture
            label={translate('floors.plan_of', { name: floor.name })}
            floor={floor}
            zones={planZones}
            coverage={noCoverage}
            legs={[]}
            marks={[]}
          />
        </PlanBox>
        <p className="sl-floor-area" role="status">
          {editedOutline &&
            editedOutline.length > 2 &&
            translate('floors.area', { area: formatNumber(polygonArea(editedOutline), { language, decimals: 1 }) })}
        </p>
        {editedOutlineProblem === 'crosses' && (
          <p className="sl-field-problem" role="alert">
            {translate('floors.crosses')}
          </p>
        )}
        {isOutsidePlan && (
          <p className="sl-field-problem" role="alert">
            {translate('floors.beside_plan')}
          </p>
        )}
        {isSplitUseless && dividingLine && (
          <p className="sl-field-problem" role="alert">
            {translate('floors.split_useless')}
          </p>
        )}
        {problem && (
          <p className="sl-field-problem" role="alert">
            {problem}
          </p>
        )}
        <FloorHelp editor={newOutline ? 'draw' : dividingLine ? 'split' : 'edit'} />
        <PlanLegend zones={planZones} hasCoverage={false} />
      </div>
      <section className="sl-section sl-floor-side" aria-label={translate('resources.zones.plural')}>
        <h2>{translate('resources.zones.plural')}</h2>
        {zones.length === 0 && <p>{translate('floors.no_zones')}</p>}
        <ul className="sl-floor-list">
          {zones.map(({ key, name, polygon }) => (
            <li key={key}>
              <button
                type="button"
                className="sl-floor-choice"
                aria-pressed={key === selectedKey}
                disabled={newOutline !== undefined}
                onClick={() => select(key === selectedKey ? undefined : key)}
              >
                <span>{name}</span>
                <span>
                  {translate('floors.m2', { area: formatNumber(polygonArea(polygon), { language, decimals: 1 }) })}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {selectedZone && !newOutline && <ZoneForm zone={selectedZone} onChange={handleForm} />}
      </section>
    </div>
  );
}

const cornersOf = (storedZones: readonly ZoneRow[]): Point[] =>
  storedZones.flatMap(({ polygon }) => polygon as Point[]);
const noCoverage = { image: null, bounds: null };
