import {
  cedars,
  circle,
  cloud,
  ellipse,
  glints,
  group,
  house,
  line,
  orb,
  path,
  polygon,
  rect,
  ridge,
  ridges,
  steam,
  svg,
  verticalGradient,
} from './shapes.mjs';

const W = 1600;
const H = 1000;
const repeat = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('');

/** Functions that draw rooms, tables and streets, by image name. */
export const indoors = {
  bowls: () =>
    svg(
      1200,
      1200,
      verticalGradient(0, 0, 1200, 1200, [0, '#e9dfd0'], [1, '#cdbfa9']),
      polygon('0,0 520,0 200,1200 0,1200', '#ffffff', 'opacity=".25"'),
      rect(0, 560, 1200, 26, '#8a6244'),
      rect(0, 586, 1200, 12, '#6e4c34'),
      rect(0, 1010, 1200, 26, '#8a6244'),
      rect(0, 1036, 1200, 164, '#b79c7c'),
      bowl(310, 560, 190, 150, '#a4492f', '#c8694a'),
      bowl(850, 560, 250, 170, '#31526b', '#54809c'),
      bowl(360, 1010, 260, 200, '#d9cdb6', '#f1e8d6'),
      bowl(880, 1010, 200, 240, '#4c5a45', '#73836a'),
    ),
  indigo: () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#cfe3ec'], [0.7, '#f3efe3']),
      ridge(1000, 760, { y: 620, amp: 60, seed: 101, fill: '#9dbba8' }),
      rect(0, 720, 1000, 680, '#c9cfa6'),
      repeat(3, (row) => line(`M-20,${230 + row * 330} H1020`, '#7d5a3d', 16)),
      repeat(3, (row) =>
        repeat(5, (n) => {
          const x = 40 + n * 196;
          const y = 230 + row * 330;
          const blues = ['#0f2f57', '#1c4a80', '#3a74a8', '#7ba9cc', '#16396b', '#2b5f96'];
          const sway = (n % 3) * 14 - 12;
          return path(
            `M${x},${y} H${x + 150} C${x + 160 + sway},${y + 120} ${x + 136 + sway},${y + 200} ${x + 152 + sway},${y + 280} H${x + 4 + sway} C${x - 8 + sway},${y + 190} ${x + 14 + sway},${y + 110} ${x},${y} Z`,
            blues[(n + row * 2) % 6],
          );
        }),
      ),
      repeat(
        2,
        (n) =>
          ellipse(250 + n * 480, 1340, 180, 60, '#6d4f3c') + ellipse(250 + n * 480, 1322, 156, 44, '#152d52'),
      ),
    ),
  loom: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#6d4f3b'], [1, '#4a3428']),
      rect(180, 90, 620, 520, '#f7ecd0'),
      verticalGradient(196, 106, 588, 488, [0, '#cfe6ea'], [1, '#f4efd7']),
      ridge(784, 594, { y: 480, amp: 40, seed: 103, fill: '#8fb39b' }),
      rect(0, 90, 196, 520, '#5d4333'),
      line('M490,90 V610 M180,350 H800', '#8a6547', 14),
      polygon('180,610 800,610 1180,1000 120,1000', '#ffedc2', 'opacity=".2"'),
      rect(0, 820, W, 180, '#7d5a41'),
      group(
        'translate(860 250)',
        rect(0, 0, 34, 620, '#a5774f'),
        rect(560, 0, 34, 620, '#a5774f'),
        rect(-30, 40, 660, 30, '#bb8a5d'),
        rect(-30, 300, 660, 40, '#bb8a5d'),
        repeat(38, (n) => line(`M${46 + n * 13.6},70 V300`, n % 5 ? '#e8ddc6' : '#3a74a8', 3)),
        rect(40, 340, 520, 190, '#f1e7d1'),
        repeat(7, (n) => rect(40, 352 + n * 26, 520, 11, n % 2 ? '#27568a' : '#c65a3d')),
        rect(-20, 530, 640, 36, '#8a6040', 'rx="16"'),
        rect(150, 620, 300, 26, '#8a6040'),
      ),
      repeat(4, (n) => ellipse(250 + n * 120, 840, 50, 40, ['#27568a', '#c65a3d', '#e3c16f', '#6f8f62'][n])),
    ),
  washi: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#bcd8e6'], [0.6, '#eef2e8']),
      ridges(W, H, ['#a8c4bd', '#83a99c'], { from: 330, step: 80, amp: 60, seed: 107 }),
      polygon('80,330 800,150 1520,330 1520,390 80,390', '#5c4a42'),
      rect(140, 390, 1320, 370, '#caa67a'),
      rect(0, 760, W, 240, '#d9d2bb'),
      repeat(9, (n) =>
        group(
          `translate(${150 + n * 146} ${470 + (n % 2) * 14}) skewX(-5)`,
          rect(0, 0, 118, 390, '#a87d52'),
          rect(8, 10, 102, 360, n % 4 === 2 ? '#f3ead6' : '#fdfaf3'),
        ),
      ),
      repeat(9, (n) =>
        polygon(
          `${118 + n * 146},862 ${236 + n * 146},862 ${290 + n * 146},930 ${190 + n * 146},930`,
          '#000',
          'opacity=".12"',
        ),
      ),
      orb(1310, 130, 54, '#fffbe8'),
    ),
  workshop: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#e7d7bd'], [1, '#c6a985']),
      polygon('1000,0 1600,0 1600,700 600,1000', '#fff7df', 'opacity=".35"'),
      repeat(
        9,
        (n) =>
          line(`M${150 + n * 150},110 V${300 + (n % 3) * 46}`, '#7a5236', 16) +
          rect(
            134 + n * 150,
            290 + (n % 3) * 46,
            32,
            110,
            ['#8f979b', '#a9b0b3', '#737b80'][n % 3],
            'rx="4"',
          ),
      ),
      rect(90, 96, 1420, 22, '#6e4a31'),
      rect(60, 640, 1480, 70, '#a8743f'),
      rect(60, 700, 1480, 26, '#86592d'),
      rect(150, 726, 90, 274, '#86592d'),
      rect(1340, 726, 90, 274, '#86592d'),
      group(
        'translate(360 560)',
        rect(0, 20, 300, 60, '#8b5a30', 'rx="10"'),
        polygon('130,20 178,-30 206,20', '#6b7277'),
        path(
          'M150,20 C120,-60 60,-40 70,-90 C76,-120 118,-112 108,-84',
          '#0000',
          'stroke="#f0d9b0" stroke-width="14"',
        ),
      ),
      group(
        'translate(860 596)',
        path('M0,30 Q60,-6 150,16 L430,26 Q450,44 430,50 L150,46 Q60,60 0,30 Z', '#c98a4b'),
        ellipse(66, 28, 52, 20, '#a96c33'),
      ),
      repeat(12, (n) =>
        path(
          `M${200 + n * 105},${940 + (n % 3) * 18} q30,-34 58,-4 q16,26 -16,28`,
          '#0000',
          'stroke="#f3e2bd" stroke-width="9"',
        ),
      ),
      circle(1290, 590, 50, '#d9a561'),
      circle(1290, 590, 30, '#c08843'),
      circle(1290, 590, 12, '#a56f30'),
    ),
  teacup: () =>
    svg(
      1200,
      1200,
      verticalGradient(0, 0, 1200, 1200, [0, '#dfe6d3'], [1, '#b9c7a4']),
      circle(900, 300, 420, '#eef2e4', 'opacity=".7"'),
      rect(0, 800, 1200, 400, '#8a6547'),
      repeat(5, (n) => line(`M0,${850 + n * 74} Q600,${836 + n * 76} 1200,${856 + n * 72}`, '#79563b', 5)),
      ellipse(600, 980, 470, 90, '#5e4330'),
      ellipse(600, 966, 470, 90, '#3f3128'),
      group(
        'translate(780 700)',
        path('M-190,0 C-210,180 -130,240 0,240 C130,240 210,180 190,0 Z', '#3d5a4c'),
        ellipse(0, 0, 190, 46, '#4d6f5e'),
        ellipse(0, -22, 90, 26, '#33493e'),
        circle(0, -52, 22, '#2b3d34'),
        path('M180,60 Q300,20 320,-60 L350,-50 Q330,80 190,130 Z', '#3d5a4c'),
        path('M-150,-10 C-160,-190 150,-190 150,-10', '#0000', 'stroke="#8a6b4a" stroke-width="20"'),
      ),
      group(
        'translate(340 790)',
        path('M-140,0 L-112,190 Q0,220 112,190 L140,0 Z', '#f4ecdc'),
        path('M-132,56 L-118,150 Q0,176 118,150 L132,56 Q0,84 -132,56 Z', '#b7653f'),
        ellipse(0, 0, 140, 34, '#fdf8ec'),
        ellipse(0, 4, 118, 25, '#8da24b'),
      ),
      steam(340, 760, 330, '#ffffff', 0.75, 60),
    ),
  market: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#f6c9a0'], [0.5, '#fbe8cf']),
      orb(240, 260, 70, '#fff8e2'),
      repeat(7, (n) =>
        house(40 + n * 240, 560, 190, 150 + (n % 3) * 30, {
          wall: n % 2 ? '#c98f6b' : '#b77d62',
          roof: '#7c5149',
          lit: '#f7d9a6',
        }),
      ),
      rect(0, 550, W, 450, '#d9bd9d'),
      repeat(4, (n) => {
        const x = 60 + n * 390;
        const colours = ['#d3533d', '#2f7f93', '#e0a63a', '#5d8b56'];
        return group(
          `translate(${x} 430)`,
          line('M10,90 V430 M330,90 V430', '#6b4a38', 12),
          repeat(6, (s) =>
            polygon(
              `${-20 + s * 63},110 ${10 + s * 55},0 ${65 + s * 55},0 ${43 + s * 63},110`,
              s % 2 ? '#fdf6e8' : colours[n],
            ),
          ),
          rect(-10, 270, 360, 60, '#8f6142'),
          repeat(7, (f) =>
            n % 2
              ? circle(26 + f * 48, 252, 22, ['#e8743b', '#f1b24a', '#c9d06a'][f % 3])
              : ellipse(30 + f * 48, 256, 28, 12, ['#8fb2c2', '#6f97ab', '#c98a8a'][f % 3]),
          ),
          rect(-10, 330, 360, 110, '#7a5036'),
        );
      }),
      repeat(6, (n) =>
        group(
          `translate(${150 + n * 250} ${890 + (n % 2) * 30})`,
          ellipse(0, 20, 38, 76, ['#3c5a78', '#8c3f3f', '#4f6f52', '#6b5a86', '#b77b3a', '#37474f'][n]),
          circle(0, -78, 30, '#e8bf98'),
          path('M-30,-84 A30,30 0 0 1 30,-84 Q0,-96 -30,-84 Z', '#2d2422'),
        ),
      ),
    ),
  soba: () =>
    svg(
      1200,
      1200,
      rect(0, 0, 1200, 1200, '#7b3f32'),
      repeat(7, (n) => rect(0, n * 180, 1200, 4, '#6b352a')),
      rect(150, 220, 620, 620, '#3a2a24', 'rx="24"'),
      rect(180, 250, 560, 560, '#d7b978', 'rx="12"'),
      repeat(14, (n) => rect(180, 256 + n * 40, 560, 10, '#bf9d5d')),
      repeat(11, (n) =>
        path(
          `M${250 + (n % 3) * 30},${380 + n * 34} C${360 + n * 6},${300 + n * 36} ${540 - n * 4},${460 + n * 26} ${660 - (n % 4) * 20},${370 + n * 34}`,
          '#0000',
          `stroke="${n % 2 ? '#9b8671' : '#b39d86'}" stroke-width="22" stroke-linecap="round"`,
        ),
      ),
      repeat(16, (n) =>
        rect(
          400 + ((n * 53) % 140),
          480 + ((n * 37) % 130),
          34,
          7,
          '#26332c',
          `transform="rotate(${(n * 41) % 180} ${417 + ((n * 53) % 140)} ${483 + ((n * 37) % 130)})"`,
        ),
      ),
      circle(960, 420, 150, '#2f3f4f'),
      circle(960, 420, 122, '#3d2418'),
      ellipse(930, 390, 60, 26, '#5b3823'),
      circle(960, 760, 96, '#e9e2d2'),
      repeat(9, (n) =>
        circle(930 + (n % 3) * 30, 730 + Math.floor(n / 3) * 30, 18, '#6fae54', 'opacity=".9"'),
      ),
      circle(990, 790, 24, '#a8c26b'),
      line('M180,960 L1020,930 M180,1000 L1020,976', '#2b1d18', 16),
      circle(210, 1010, 0, '#000'),
    ),
  brewery: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#31406b'], [0.5, '#8b83a8'], [0.75, '#efc6a8']),
      ridges(W, H, ['#6a6f97', '#565c85'], { from: 470, step: 70, amp: 50, seed: 113 }),
      rect(1090, 180, 84, 470, '#9a5b48'),
      rect(1078, 172, 108, 24, '#7d4738'),
      repeat(5, (n) => rect(1090, 240 + n * 84, 84, 8, '#86503f')),
      steam(1132, 170, 160, '#ffffff', 0.7, 60),
      rect(150, 470, 860, 260, '#f2ead9'),
      rect(150, 640, 860, 90, '#3d3a44'),
      polygon('90,480 240,330 920,330 1070,480', '#4a4d5c'),
      polygon('90,472 240,318 920,318 1070,472 1040,452 920,340 240,340 120,452', '#ffffff'),
      repeat(6, (n) => rect(210 + n * 132, 520, 70, 70, '#ffd48a')),
      rect(540, 600, 130, 130, '#5d4636'),
      circle(606, 580, 44, '#5f7a45'),
      circle(594, 568, 26, '#7a9657', 'opacity=".7"'),
      rect(1010, 560, 440, 170, '#d9cfbc'),
      polygon('990,566 1080,470 1400,470 1480,566', '#4a4d5c'),
      polygon('990,560 1080,460 1400,460 1480,560 1400,478 1080,478', '#ffffff'),
      path('M0,1000 V730 Q500,690 900,740 T1600,720 V1000 Z', '#eef1f6'),
      repeat(4, (n) =>
        group(
          `translate(${220 + n * 100} 800)`,
          rect(-40, -46, 80, 92, '#a9743f', 'rx="8"'),
          line('M-40,-20 H40 M-40,22 H40', '#6b4526', 6),
        ),
      ),
      repeat(80, (n) => circle((n * 197) % W, (n * 331) % 960, 2 + (n % 3), '#ffffff', 'opacity=".8"')),
    ),
  'old-town': () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#2b3561'], [0.5, '#7a6490'], [0.7, '#e0a184']),
      circle(690, 210, 52, '#fdf3d4'),
      repeat(3, (n) => {
        const width = 330 - n * 60;
        const top = 330 + n * 130;
        const wall = ['#46375a', '#3b2f4f', '#312844'][n];
        return [
          polygon(`0,${top} ${width},${top + 130} ${width},1100 0,1400`, wall),
          polygon(`1000,${top - 40} ${1000 - width},${top + 110} ${1000 - width},1100 1000,1400`, wall),
        ].join('');
      }),
      polygon('0,300 380,470 380,510 0,372', '#241d36'),
      polygon('1000,260 600,450 600,492 1000,336', '#241d36'),
      polygon('0,700 330,780 330,812 0,756', '#241d36'),
      polygon('1000,680 640,770 640,800 1000,736', '#241d36'),
      repeat(3, (n) =>
        polygon(
          `${30 + n * 105},${520 + n * 40} ${100 + n * 100},${548 + n * 36} ${100 + n * 100},${680 + n * 12} ${30 + n * 105},${668 + n * 16}`,
          '#ffcf85',
        ),
      ),
      repeat(3, (n) =>
        polygon(
          `${970 - n * 110},${500 + n * 42} ${896 - n * 100},${530 + n * 38} ${896 - n * 100},${672 + n * 12} ${970 - n * 110},${660 + n * 14}`,
          '#ffbf6e',
        ),
      ),
      repeat(3, (n) =>
        polygon(
          `${20 + n * 105},${880 + n * 16} ${96 + n * 100},${884 + n * 14} ${96 + n * 100},${1120 - n * 20} ${20 + n * 105},${1160 - n * 30}`,
          n === 1 ? '#ffdca0' : '#8a5f5a',
        ),
      ),
      repeat(3, (n) =>
        polygon(
          `${980 - n * 110},${870 + n * 16} ${900 - n * 100},${880 + n * 12} ${900 - n * 100},${1110 - n * 16} ${980 - n * 110},${1150 - n * 24}`,
          n === 0 ? '#ffdca0' : '#8a5f5a',
        ),
      ),
      polygon('380,1060 620,1060 1000,1400 0,1400', '#574a63'),
      repeat(6, (n) => line(`M${370 - n * 66},${1096 + n * 56} H${630 + n * 66}`, '#6a5b75', 4)),
      polygon('470,1060 530,1060 640,1400 360,1400', '#e9b98f', 'opacity=".25"'),
      repeat(
        3,
        (n) =>
          ellipse(150 + n * 100, 820 + n * 14, 26, 36, '#f0673f') +
          ellipse(850 - n * 90, 820 + n * 12, 26, 36, '#f0673f'),
      ),
      group(
        'translate(520 1150)',
        ellipse(0, 30, 30, 62, '#1c1830'),
        circle(0, -48, 22, '#1c1830'),
        path('M-90,-70 Q0,-150 90,-70 Z', '#c44d3a'),
        line('M0,-100 V0', '#1c1830', 6),
      ),
    ),
  citrus: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#9ad3e4'], [0.5, '#e6f4ec']),
      verticalGradient(0, 500, W, 500, [0, '#57b0c4'], [1, '#1f7795']),
      glints(0, 520, W, 460, '#ffffff', 40, 53),
      path('M1000,520 Q1150,410 1320,450 Q1450,400 1600,470 V530 H980 Z', '#6fa579'),
      line('M-40,120 C300,180 560,140 820,260 C980,330 1100,320 1240,420', '#6b4a32', 26),
      line('M420,180 C470,320 430,420 500,560 M760,236 C820,380 760,470 820,640', '#6b4a32', 15),
      repeat(26, (n) => {
        const x = 60 + ((n * 211) % 960);
        const y = 110 + ((n * 97) % 480);
        return ellipse(
          x,
          y,
          76,
          27,
          ['#2f6b41', '#3f8350', '#5a9c5d'][n % 3],
          `transform="rotate(${(n * 53) % 180} ${x} ${y})"`,
        );
      }),
      repeat(9, (n) => {
        const [x, y] = [
          [200, 330],
          [410, 520],
          [520, 640],
          [640, 340],
          [800, 560],
          [850, 700],
          [980, 430],
          [1150, 520],
          [320, 210],
        ][n];
        const r = 74 + (n % 3) * 12;
        return (
          circle(x, y, r, '#f08a24') +
          ellipse(x - r * 0.3, y - r * 0.35, r * 0.34, r * 0.22, '#ffc46b', 'opacity=".8"') +
          circle(x, y - r + 8, 8, '#3f6b39')
        );
      }),
    ),
  station: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#b8dcea'], [0.6, '#f4f0dc']),
      cloud(1120, 170, 180, '#ffffff'),
      ridges(W, H, ['#b2cfbf', '#8bb79b', '#679b79'], { from: 360, step: 66, amp: 62, seed: 121 }),
      cedars(0, 640, 620, 8, 190, '#4a7d5f', 41),
      rect(0, 640, W, 360, '#c9c79b'),
      rect(0, 700, 900, 90, '#c4b7a2'),
      rect(0, 700, 900, 14, '#f4e6b8'),
      polygon('110,470 420,350 730,470', '#8a4f3f'),
      rect(160, 470, 520, 232, '#efe2c8'),
      rect(220, 530, 110, 110, '#7fa8b5'),
      rect(390, 520, 110, 182, '#6f5140'),
      rect(560, 530, 80, 110, '#7fa8b5'),
      rect(300, 420, 240, 40, '#fdf8ec', 'rx="6"'),
      group(
        'translate(840 560)',
        rect(0, 0, 640, 210, '#d3533d', 'rx="26"'),
        rect(0, 70, 640, 70, '#f6ead0'),
        repeat(6, (n) => rect(34 + n * 102, 40, 76, 74, '#35566b', 'rx="10"')),
        rect(560, 36, 66, 80, '#9fd0dc', 'rx="8"'),
        circle(606, 168, 16, '#ffe9a8'),
        repeat(4, (n) => circle(90 + n * 150, 214, 30, '#2c2f36')),
      ),
      rect(0, 800, W, 14, '#7d6b5d'),
      rect(0, 840, W, 14, '#7d6b5d'),
      repeat(27, (n) => rect(n * 62, 794, 22, 70, '#6a5445')),
      repeat(22, (n) =>
        circle(40 + n * 74, 920 + (n % 3) * 22, 13, ['#f2b5c4', '#f7d66a', '#ffffff'][n % 3]),
      ),
      group(
        'translate(770 690)',
        ellipse(0, -18, 26, 18, '#ffffff'),
        circle(24, -38, 15, '#ffffff'),
        polygon('12,-48 16,-64 24,-52', '#ffffff'),
        polygon('26,-52 34,-64 38,-46', '#ffffff'),
        line('M-24,-18 Q-50,-40 -38,-62', '#ffffff', 9),
      ),
    ),
  bookshop: () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#5a3f33'], [1, '#38261f']),
      repeat(5, (row) => {
        const y = 90 + row * 210;
        let x = 60;
        const books = [];
        let n = row * 5;
        while (x < 920) {
          const width = 20 + ((n * 37) % 26);
          const height = 110 + ((n * 53) % 62);
          const colour = [
            '#c65a3d',
            '#e3c16f',
            '#3d6f7d',
            '#7b8f5c',
            '#b98a6a',
            '#8c4a5c',
            '#e9dfc8',
            '#46587d',
          ][n % 8];
          if (n % 11 !== 7) books.push(rect(x, y + 180 - height, width, height, colour, 'rx="3"'));
          x += width + 4;
          n += 1;
        }
        return rect(50, y, 900, 180, '#2b1c17') + books.join('') + rect(40, y + 180, 920, 18, '#8a6245');
      }),
      rect(0, 1140, 1000, 260, '#6d4b38'),
      rect(120, 1120, 620, 40, '#a3744e'),
      rect(150, 1160, 40, 200, '#8a6040'),
      rect(670, 1160, 40, 200, '#8a6040'),
      repeat(5, (n) =>
        rect(
          220 + (n % 2) * 14,
          1094 - n * 26,
          200,
          24,
          ['#c65a3d', '#3d6f7d', '#e3c16f', '#7b8f5c', '#e9dfc8'][n],
          'rx="3"',
        ),
      ),
      line('M600,0 V250', '#1f1512', 6),
      path('M510,330 Q600,170 690,330 Z', '#f4d58d'),
      polygon('510,330 690,330 940,1120 260,1120', '#ffe7a8', 'opacity=".16"'),
      group(
        'translate(850 1210)',
        ellipse(0, 20, 74, 50, '#d9a05c'),
        circle(60, -30, 36, '#d9a05c'),
        polygon('34,-52 40,-88 62,-62', '#d9a05c'),
        polygon('66,-64 88,-86 90,-48', '#d9a05c'),
        line('M-66,20 Q-120,0 -90,-50', '#d9a05c', 18),
      ),
    ),
  lanterns: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#141a3c'], [0.6, '#3b2f5e'], [1, '#6d3f57']),
      orb(1300, 170, 54, '#fbeecb'),
      polygon('0,560 300,430 620,560', '#1a1530'),
      polygon('1000,560 1290,420 1600,560', '#1a1530'),
      rect(0, 556, W, 444, '#1d1733'),
      repeat(3, (row) =>
        line(`M0,${150 + row * 150} Q800,${290 + row * 140} 1600,${140 + row * 150}`, '#2b2145', 6),
      ),
      repeat(3, (row) =>
        repeat(9, (n) => {
          const t = (n + 0.5) / 9;
          const x = t * W;
          const sag = 1 - (2 * t - 1) ** 2;
          const y = 150 + row * 150 + sag * 66 + 54;
          return group(
            `translate(${x.toFixed(0)} ${y.toFixed(0)}) scale(${1 + row * 0.14})`,
            ellipse(0, 0, 74, 82, '#ff9a4d', 'opacity=".16"'),
            ellipse(0, 0, 42, 52, (n + row) % 4 === 2 ? '#f6e3b8' : '#e8482f'),
            ellipse(0, 4, 24, 36, '#ffd27a', 'opacity=".75"'),
            rect(-18, -58, 36, 10, '#1a1224'),
            rect(-18, 48, 36, 10, '#1a1224'),
          );
        }),
      ),
      polygon('600,1000 760,640 860,640 1010,1000', '#3a2b4d'),
      repeat(11, (n) =>
        group(
          `translate(${90 + n * 145} ${880 + (n % 3) * 30})`,
          ellipse(0, 50, 46, 90, ['#2c3f6b', '#6b2f45', '#3d5a4c', '#57406d'][n % 4]),
          circle(0, -62, 30, '#d9a98a'),
          path('M-31,-64 A31,31 0 0 1 31,-64 L24,-50 Q0,-70 -24,-50 Z', '#171022'),
        ),
      ),
    ),
  'old-cover': () =>
    svg(
      800,
      1130,
      rect(0, 0, 800, 1130, '#c9b48f'),
      circle(400, 470, 220, '#a4492f'),
      rect(100, 900, 600, 30, '#4a3428'),
    ),
};

/** A bowl with its base at (x, y). */
function bowl(x, y, half, height, dark, light) {
  return [
    ellipse(x, y + 4, half * 0.8, 16, '#000', 'opacity=".16"'),
    path(
      `M${x - half},${y - height} C${x - half},${y - height * 0.3} ${x - half * 0.6},${y} ${x},${y} C${x + half * 0.6},${y} ${x + half},${y - height * 0.3} ${x + half},${y - height} Z`,
      light,
    ),
    path(
      `M${x + half * 0.1},${y} C${x + half * 0.7},${y} ${x + half},${y - height * 0.3} ${x + half},${y - height} H${x + half * 0.5} C${x + half * 0.5},${y - height * 0.4} ${x + half * 0.3},${y - height * 0.1} ${x + half * 0.1},${y} Z`,
      dark,
    ),
    ellipse(x, y - height, half, half * 0.2, dark),
    ellipse(
      x,
      y - height + 6,
      half * 0.88,
      half * 0.15,
      '#0000',
      'stroke="#fff" stroke-opacity=".25" stroke-width="3"',
    ),
    rect(x - half * 0.34, y - 10, half * 0.68, 12, dark, 'rx="5"'),
  ].join('');
}
