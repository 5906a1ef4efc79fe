/** Places of the demo: real cities with their real coordinates, and typical streets and sites. */
export interface City {
  name: string;
  postal_code: string;
  latitude: number;
  longitude: number;
}
export interface SeedCountry {
  /** English name, as in the table `countries`. */
  name: string;
  /** Language code, as in `names.ts`. */
  language: string;
  time_zone: string;
  /** Country calling code, such as `+49`. */
  dial: string;
  streets: readonly string[];
  /** Whether addresses are written as `12 rue` instead of `Street 12`. */
  hasNumberFirst: boolean;
  sites: readonly string[];
  cities: readonly City[];
}

const city = (name: string, postal_code: string, latitude: number, longitude: number): City => ({
  name,
  postal_code,
  latitude,
  longitude,
});

export const seedCountries: readonly SeedCountry[] = [
  {
    name: 'Germany',
    language: 'de',
    time_zone: 'Europe/Berlin',
    dial: '+49',
    streets: [
      'Hauptstraße',
      'Bahnhofstraße',
      'Industriestraße',
      'Am Güterbahnhof',
      'Messeallee',
      'Hafenstraße',
      'Lindenweg',
      'Schillerstraße',
    ],
    hasNumberFirst: false,
    sites: ['Logistikzentrum', 'Einkaufszentrum', 'Hauptbahnhof', 'Messe', 'Klinikum', 'Flughafen', 'Werk', 'Parkhaus'],
    cities: [
      city('Berlin', '10115', 52.5323, 13.3846),
      city('Hamburg', '20095', 53.5503, 10.0006),
      city('München', '80331', 48.1351, 11.5735),
      city('Köln', '50667', 50.9384, 6.9573),
      city('Frankfurt am Main', '60311', 50.1109, 8.6821),
      city('Stuttgart', '70173', 48.7784, 9.18),
      city('Leipzig', '04109', 51.3397, 12.3731),
      city('Dresden', '01067', 51.0535, 13.7215),
      city('Hannover', '30159', 52.3744, 9.7386),
      city('Nürnberg', '90402', 49.4478, 11.0783),
    ],
  },
  {
    name: 'Sweden',
    language: 'sv',
    time_zone: 'Europe/Stockholm',
    dial: '+46',
    streets: ['Storgatan', 'Kungsgatan', 'Drottninggatan', 'Industrigatan', 'Hamngatan', 'Järnvägsgatan'],
    hasNumberFirst: false,
    sites: ['Köpcentrum', 'Centralstation', 'Lager', 'Sjukhus', 'Flygplats', 'Mässhall'],
    cities: [
      city('Stockholm', '11120', 59.3293, 18.0686),
      city('Göteborg', '41103', 57.7089, 11.9746),
      city('Malmö', '21120', 55.605, 13.0038),
      city('Uppsala', '75310', 59.8586, 17.6389),
      city('Linköping', '58222', 58.4108, 15.6214),
      city('Umeå', '90325', 63.8258, 20.263),
    ],
  },
  {
    name: 'Poland',
    language: 'pl',
    time_zone: 'Europe/Warsaw',
    dial: '+48',
    streets: ['ul. Marszałkowska', 'ul. Dworcowa', 'ul. Przemysłowa', 'al. Jerozolimskie', 'ul. Długa', 'ul. Portowa'],
    hasNumberFirst: false,
    sites: ['Galeria handlowa', 'Dworzec główny', 'Centrum logistyczne', 'Szpital', 'Lotnisko', 'Hala targowa'],
    cities: [
      city('Warszawa', '00510', 52.2297, 21.0122),
      city('Kraków', '31042', 50.0614, 19.9372),
      city('Gdańsk', '80831', 54.352, 18.6466),
      city('Wrocław', '50101', 51.1079, 17.0385),
      city('Poznań', '61772', 52.4064, 16.9252),
      city('Łódź', '90004', 51.7592, 19.456),
    ],
  },
  {
    name: 'France',
    language: 'fr',
    time_zone: 'Europe/Paris',
    dial: '+33',
    streets: [
      'rue de la Gare',
      'avenue de la République',
      'boulevard Voltaire',
      'rue des Entrepôts',
      'quai du Port',
      'rue Victor Hugo',
    ],
    hasNumberFirst: true,
    sites: ['Centre commercial', 'Gare', 'Plateforme logistique', 'Hôpital', 'Aéroport', 'Parc des expositions'],
    cities: [
      city('Paris', '75010', 48.8759, 2.3594),
      city('Lyon', '69003', 45.7606, 4.8594),
      city('Marseille', '13002', 43.3043, 5.3676),
      city('Lille', '59800', 50.6366, 3.0706),
      city('Toulouse', '31000', 43.6047, 1.4442),
      city('Strasbourg', '67000', 48.585, 7.7343),
    ],
  },
  {
    name: 'Italy',
    language: 'it',
    time_zone: 'Europe/Rome',
    dial: '+39',
    streets: [
      'Via Roma',
      'Corso Garibaldi',
      "Via dell'Industria",
      'Viale della Stazione',
      'Via del Porto',
      'Piazza Mazzini',
    ],
    hasNumberFirst: false,
    sites: ['Centro commerciale', 'Stazione centrale', 'Polo logistico', 'Ospedale', 'Aeroporto', 'Fiera'],
    cities: [
      city('Milano', '20124', 45.4847, 9.2045),
      city('Roma', '00185', 41.901, 12.5018),
      city('Torino', '10121', 45.0709, 7.6869),
      city('Bologna', '40121', 44.5048, 11.3426),
      city('Verona', '37122', 45.4299, 10.9844),
      city('Napoli', '80142', 40.8522, 14.2681),
    ],
  },
];
