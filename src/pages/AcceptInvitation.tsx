/** */ export const AcceptInvitation = () => null;
