DROP INDEX "clients_contact_name_idx";
