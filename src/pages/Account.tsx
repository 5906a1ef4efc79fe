/** */ export const Account = () => null;
