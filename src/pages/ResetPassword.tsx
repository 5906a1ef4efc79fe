/** */ export const ResetPassword = () => null;
