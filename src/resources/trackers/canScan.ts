/** Whether this browser lets the page use a camera: on secure addresses only. */
export const canScan = (): boolean => navigator.mediaDevices !== undefined;
