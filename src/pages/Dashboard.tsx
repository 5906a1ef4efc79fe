/** */ export const Dashboard = () => null;
