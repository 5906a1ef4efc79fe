/** */ export const ForgotPassword = () => null;
