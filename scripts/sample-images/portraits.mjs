import { circle, ellipse, line, path, rect, svg, verticalGradient } from './shapes.mjs';

const S = 600;

/** The appearance of each author, by slug: colours, hair and accessories. */
const people = {
  mori: { ground: ['#f0dccb', '#d9b89f'], skin: '#f0c9a8', hair: '#3b2a26', dress: '#a4492f', style: 'bob' },
  tanaka: {
    ground: ['#cfdfe8', '#9db9cb'],
    skin: '#e8bd98',
    hair: '#22262e',
    dress: '#2f4858',
    style: 'short',
    more: cap,
  },
  kobayashi: {
    ground: ['#d9ead9', '#a9cbb0'],
    skin: '#efc6a2',
    hair: '#4a3326',
    dress: '#e0a63a',
    style: 'long',
    more: camera,
  },
  berg: {
    ground: ['#ece4f1', '#c4b2d3'],
    skin: '#f5d3bd',
    hair: '#d9a55c',
    dress: '#5b5f93',
    style: 'bun',
    more: glasses,
  },
  miyake: {
    ground: ['#dfe9d0', '#b3c893'],
    skin: '#e6b993',
    hair: '#33302b',
    dress: '#4f7a53',
    style: 'short',
    more: scarf,
  },
  onishi: {
    ground: ['#f4e3c3', '#dcb978'],
    skin: '#e2b48c',
    hair: '#2a2321',
    dress: '#f7f2e6',
    style: 'short',
    more: headband,
  },
  shiraishi: {
    ground: ['#f6d9d9', '#e0a9ac'],
    skin: '#f2cdb0',
    hair: '#1f1c22',
    dress: '#7d3f58',
    style: 'long',
  },
  okafor: {
    ground: ['#d4e6e6', '#93bfc0'],
    skin: '#7a4b32',
    hair: '#1d1714',
    dress: '#d7573f',
    style: 'short',
    more: beard,
  },
  nonomura: {
    ground: ['#e6e3dc', '#bdb5a6'],
    skin: '#ecc7a7',
    hair: '#b9b4ae',
    dress: '#31526b',
    style: 'bun',
    more: glasses,
  },
};

export const portraits = Object.fromEntries(
  Object.entries(people).map(([slug, person]) => [slug, () => portrait(person)]),
);

function portrait({ ground, skin, hair, dress, style, more }) {
  return svg(
    S,
    S,
    verticalGradient(0, 0, S, S, [0, ground[0]], [1, ground[1]]),
    circle(300, 300, 250, '#ffffff', 'opacity=".22"'),
    HAIR_BEHIND_FACE[style](hair),
    path('M60,600 C70,470 190,430 300,430 C410,430 530,470 540,600 Z', dress),
    path('M250,360 H350 V440 Q300,490 250,440 Z', skin),
    path('M250,400 Q300,440 350,400 V420 Q300,456 250,420 Z', '#000', 'opacity=".1"'),
    ellipse(300, 275, 108, 128, skin),
    HAIR_IN_FRONT_OF_FACE[style](hair),
    line('M246,272 v10 M354,272 v10', '#2a211f', 13),
    line('M232,240 q14,-10 28,-2 M340,238 q14,-8 28,2', hair, 7),
    line('M298,284 q-8,24 4,30', '#000', 5, 'opacity=".18"'),
    line('M268,338 Q300,360 332,338', '#8f4a3c', 7),
    circle(222, 312, 18, '#e4694f', 'opacity=".2"'),
    circle(378, 312, 18, '#e4694f', 'opacity=".2"'),
    more ? more(hair) : '',
  );
}

const HAIR_BEHIND_FACE = {
  bob: (hair) =>
    path('M176,300 C160,70 440,70 424,300 L430,390 Q400,410 380,380 H220 Q200,410 170,390 Z', hair),
  long: (hair) =>
    path('M172,300 C150,64 450,64 428,300 C440,420 450,480 430,540 H170 C150,480 160,420 172,300 Z', hair),
  bun: (hair) => circle(300, 104, 54, hair) + path('M184,290 C170,74 430,74 416,290 Z', hair),
  short: (hair) => path('M186,290 C170,74 430,74 414,290 Z', hair),
};
const HAIR_IN_FRONT_OF_FACE = {
  bob: (hair) =>
    path('M188,262 C190,86 410,86 412,262 C380,210 340,206 300,206 C250,206 214,220 188,262 Z', hair),
  long: (hair) =>
    path(
      'M188,290 C186,96 300,96 318,140 C400,110 426,220 412,290 C396,240 350,214 318,196 C280,220 214,230 188,290 Z',
      hair,
    ),
  bun: (hair) =>
    path('M190,260 C196,90 404,90 410,260 C370,190 330,186 300,186 C260,186 226,196 190,260 Z', hair),
  short: (hair) =>
    path('M190,256 C180,86 420,86 410,256 C396,206 350,210 330,190 C290,220 220,196 190,256 Z', hair),
};

function cap() {
  return (
    path('M182,222 C190,70 410,70 418,222 Q300,180 182,222 Z', '#1d3342') +
    path('M190,214 Q300,168 440,226 Q420,250 380,228 Q290,196 190,228 Z', '#14252f')
  );
}
function camera() {
  return (
    line('M180,450 Q300,600 420,450', '#3a2a22', 9) +
    rect(230, 520, 140, 80, '#2a2a2e', 'rx="12"') +
    circle(300, 562, 30, '#55606b') +
    circle(300, 562, 15, '#1b2026')
  );
}
function glasses() {
  return (
    line('M286,280 H314 M206,272 L194,266 M394,272 L406,266', '#3a3340', 6) +
    [246, 354].map((x) => circle(x, 280, 38, 'none', 'stroke="#3a3340" stroke-width="6"')).join('')
  );
}
function scarf() {
  return (
    path('M206,420 Q300,480 394,420 L404,470 Q300,530 196,470 Z', '#e0a63a') +
    path('M330,480 L372,590 H318 L300,494 Z', '#cf9430')
  );
}
function headband() {
  return (
    path('M188,214 Q300,160 412,214 L410,250 Q300,196 190,250 Z', '#fdfaf2') +
    circle(404, 226, 16, '#fdfaf2') +
    line('M196,470 L300,560 L404,470', '#c9bfa8', 6)
  );
}
function beard(hair) {
  return (
    path(
      'M196,300 C200,400 250,418 300,418 C350,418 400,400 404,300 C390,350 350,350 332,338 Q300,322 268,338 C250,350 210,350 196,300 Z',
      hair,
    ) + line('M272,352 Q300,366 328,352', '#c98a78', 6)
  );
}
