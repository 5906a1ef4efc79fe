/** `GET /machines/{id}/qr.svg`: QR code with the URL of the machine, to print and attach. */
import { toString as draw } from 'qrcode';
import type { Routes } from '../../context/services';
import { serve } from '../../endpoints/serve';

export const qrRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/{id}/qr.svg', async ({ params: { id } }, _request, reply) => {
    const svg = await draw(`${app.services.env.publicUrl}/machines/${id}`, {
      type: 'svg',
      errorCorrectionLevel: 'M',
      margin: 2,
    });
    return reply.type('image/svg+xml; charset=utf-8').send(svg);
  });
};
