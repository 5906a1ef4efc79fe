/** Whether the page can use a camera; browsers allow that only over HTTPS and on localhost. */
export const canScan = (): boolean => navigator.mediaDevices !== undefined;
