import './trackers.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Icon } from '../../ui/Icon';
import { ProblemText } from '../../ui/ProblemText';
import { parseMachineUrl } from './parseMachineUrl';

/** The members of the Barcode Detection API used here. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
declare global {
  interface Window {
    BarcodeDetector?: (new (options: {
      formats: ['qr_code'];
    }) => Detector) & {
      getSupportedFormats?(): Promise<readonly string[]>;
    };
  }
}

/** Milliseconds between two scans of the camera image. */
const scanInterval = 250;

interface Props {
  onFound: (machine: number) => void;
  /** Whether to open the camera without waiting for the button. */
  startsAtOnce?: boolean;
}

/** Button that reads the QR code of a machine with the camera. If the camera fails, it asks for the serial number. */
export function ScanMachine({ onFound, startsAtOnce = false }: Props) {
  const translate = useTranslate();
  const [isScanning, setScanning] = useState(startsAtOnce);
  const [problem, setProblem] = useState<string>();
  const stop = (reason?: string) => {
    setScanning(false);
    setProblem(reason);
  };
  const handleCode = (code: string) => {
    const machine = parseMachineUrl(code);
    if (machine === undefined) return setProblem(translate('trackers.scan_wrong'));
    stop();
    onFound(machine);
  };
  const scan = () => {
    setProblem(undefined);
    setScanning(true);
  };
  return (
    <div className="sl-scan">
      <button type="button" className="sl-button" onClick={() => (isScanning ? stop() : scan())}>
        <Icon name="qr" size={16} />
        {translate(isScanning ? 'trackers.scan_stop' : 'trackers.scan')}
      </button>
      {isScanning && <Camera onCode={handleCode} onFailure={() => stop(translate('trackers.scan_failed'))} />}
      {problem && <ProblemText>{problem}</ProblemText>}
    </div>
  );
}

function Camera({ onCode, onFailure }: { onCode: (code: string) => void; onFailure: () => void }) {
  const translate = useTranslate();
  const video = useRef<HTMLVideoElement>(null);
  const handlers = useRef({ onCode, onFailure });
  handlers.current = { onCode, onFailure };
  useEffect(() => watch(video.current, handlers), []);
  return (
    <>
      <video ref={video} className="sl-scan-view" muted playsInline aria-label={translate('trackers.scan_text')} />
      <p>{translate('trackers.scan_text')}</p>
    </>
  );
}

/** The browser's own detector or, if it cannot read QR codes, one in JavaScript. */
async function createDetector(): Promise<Detector> {
  const { BarcodeDetector } = window;
  const formats = (await BarcodeDetector?.getSupportedFormats?.().catch(() => [])) ?? [];
  const Reader =
    BarcodeDetector && formats.includes('qr_code') ? BarcodeDetector : (await import('qr/decode.js')).BarcodeDetector;
  return new Reader({ formats: ['qr_code'] });
}

/** Opens the camera and reports each code that it finds. Returns a function that closes the camera. */
function watch(
  view: HTMLVideoElement | null,
  handlers: { current: { onCode: (code: string) => void; onFailure: () => void } },
): () => void {
  let stream: MediaStream | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let isEnded = false;
  const startScanning = async () => {
    if (!view) throw new Error('There is no view for the camera.');
    const detector = await createDetector();
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    if (isEnded) return end();
    view.srcObject = stream;
    await view.play();
    timer = setInterval(() => {
      detector.detect(view).then(
        ([code]) => code && !isEnded && handlers.current.onCode(code.rawValue),
        () => undefined,
      );
    }, scanInterval);
  };
  const end = () => {
    isEnded = true;
    clearInterval(timer);
    for (const track of stream?.getTracks() ?? []) track.stop();
  };
  startScanning().catch(() => !isEnded && handlers.current.onFailure());
  return end;
}
