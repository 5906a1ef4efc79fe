/** Whether the page can use a camera; browsers allow that on secure addresses only. */
export const canScan = (): boolean => navigator.mediaDevices !== undefined;
