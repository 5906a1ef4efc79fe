/** Names of the demo's clients, people and machines. All are invented. */

/** Clients by English country name. */
export const clientNames: Readonly<Record<string, readonly string[]>> = {
  Germany: [
    'Nordlicht Logistik',
    'Rheinwerk Einkaufszentren',
    'Elbtor Kliniken',
    'Alpina Messebetriebe',
    'Hansehafen Umschlag',
    'Isarpark Immobilien',
  ],
  Sweden: [
    'Björkhamn Fastigheter',
    'Norrsken Logistik',
    'Mälardal Köpcentrum',
    'Västervik Sjukhus',
    'Granudden Lager',
    'Öresundsporten',
  ],
  Poland: [
    'Wisła Centra Handlowe',
    'Bałtyk Terminale',
    'Tatry Logistyka',
    'Mazowia Szpitale',
    'Bursztyn Magazyny',
    'Odra Parki Przemysłowe',
  ],
  France: [
    'Lumière Distribution',
    'Garonne Santé',
    'Atlantique Entrepôts',
    'Vallon Centres Commerciaux',
    'Mistral Fret',
    'Beaurivage Expositions',
  ],
  Italy: [
    'Adria Logistica',
    'Ponte Vecchio Centri Commerciali',
    'Brennero Terminali',
    'Laguna Ospedali',
    'Vesuvio Magazzini',
    'Serenissima Fiere',
  ],
};
/** Legal forms of companies by English country name. */
export const clientForms: Readonly<Record<string, readonly string[]>> = {
  Germany: ['GmbH', 'AG', 'GmbH & Co. KG'],
  Sweden: ['AB'],
  Poland: ['sp. z o.o.', 'S.A.'],
  France: ['SA', 'SAS'],
  Italy: ['S.p.A.', 'S.r.l.'],
};
export const clientTags = [
  'retail',
  'logistics',
  'healthcare',
  'transport',
  'key account',
  'pilot',
  'night shift',
] as const;

/** First names by language. */
export const firstNames: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Anna',
    'Jonas',
    'Lena',
    'Felix',
    'Katharina',
    'Lukas',
    'Sabine',
    'Matthias',
    'Julia',
    'Tobias',
    'Miriam',
    'Jürgen',
  ],
  sv: ['Astrid', 'Erik', 'Linnéa', 'Oskar', 'Maja', 'Nils', 'Elin', 'Gustav'],
  pl: ['Agnieszka', 'Piotr', 'Małgorzata', 'Tomasz', 'Zofia', 'Krzysztof', 'Ewa', 'Łukasz'],
  fr: ['Camille', 'Antoine', 'Chloé', 'Julien', 'Élise', 'Mathieu', 'Inès', 'François'],
  it: ['Giulia', 'Marco', 'Chiara', 'Alessandro', 'Francesca', 'Matteo', 'Elena', 'Niccolò'],
};
/** Last names by language. The Polish ones have the same form for men and women. */
export const lastNames: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Becker',
    'Hoffmann',
    'Schäfer',
    'Koch',
    'Richter',
    'Wolf',
    'Neumann',
    'Krüger',
    'Weiß',
    'Lange',
    'Vogt',
    'Brandt',
  ],
  sv: ['Lindqvist', 'Bergström', 'Nyström', 'Sandberg', 'Åkesson', 'Holm', 'Söderberg', 'Ek'],
  pl: ['Nowak', 'Kowalczyk', 'Wójcik', 'Mazur', 'Kaczmarek', 'Wróbel', 'Sikora', 'Pietrzak'],
  fr: ['Moreau', 'Lefèvre', 'Girard', 'Roux', 'Fournier', 'Mercier', 'Blanc', 'Garnier'],
  it: ['Rossi', 'Bianchi', 'Ferrari', 'Esposito', 'Romano', 'Colombo', 'Ricci', 'Greco'],
};

/** Service interval of the demo's machines, in months. */
export const serviceIntervalMonths = 12;

/**
 * Machine types with prefix of the serial numbers, working width in metres, price in EUR, square metres per hour,
 * relative frequency, and optimal hours of cleaning per day.
 */
export const machineTypes = [
  {
    name: 'Aquila S45',
    code: 'AQ45',
    width: 0.45,
    price: 24_900,
    area: 1_400,
    weight: 24,
    optimum: 4,
    tracking: true,
  },
  {
    name: 'Aquila S75',
    code: 'AQ75',
    width: 0.75,
    price: 38_500,
    area: 2_600,
    weight: 22,
    optimum: 4,
    tracking: true,
  },
  {
    name: 'Aquila S110',
    code: 'AQ11',
    width: 1.1,
    price: 61_200,
    area: 4_800,
    weight: 10,
    optimum: 5,
    tracking: true,
  },
  {
    name: 'Borea V60',
    code: 'BV60',
    width: 0.6,
    price: 17_400,
    area: 1_100,
    weight: 16,
    optimum: 3,
    tracking: true,
  },
  {
    name: 'Cirrus D50',
    code: 'CD50',
    width: 0.5,
    price: 31_900,
    area: 900,
    weight: 6,
    optimum: 3,
    tracking: true,
  },
  {
    name: 'Mistral K90',
    code: 'MK90',
    width: 0.9,
    price: 45_300,
    area: 5_200,
    weight: 12,
    optimum: 4,
    tracking: true,
  },
  {
    name: 'Mistral K140',
    code: 'MK14',
    width: 1.4,
    price: 88_700,
    area: 9_000,
    weight: 6,
    optimum: 5,
    tracking: true,
  },
  {
    name: 'Tramontana C20',
    code: 'TC20',
    width: 0.4,
    price: 12_800,
    area: 650,
    weight: 14,
    optimum: 3,
    tracking: true,
  },
  {
    name: 'Zephyr H30',
    code: 'ZH30',
    width: 0.35,
    price: 6_900,
    area: 500,
    weight: 4,
    optimum: null,
    tracking: false,
  },
] as const;

export const fleetNames = [
  'North',
  'South',
  'East',
  'West',
  'Centre',
  'Night shift',
  'Retail',
  'Logistics',
  'Outdoor',
  'Premium',
] as const;
export const fleetColors = [
  '#0b7a75',
  '#b3261e',
  '#7a4e0b',
  '#3b5bab',
  '#6a3d9a',
  '#2e7d32',
  '#ad1457',
  '#455a64',
] as const;
