import { random } from '../sample-space/random.mjs';
import {
  bird,
  boat,
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

/** Functions that draw landscapes, by image name. */
export const outdoors = {
  harbour: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#f7dcb4'], [0.35, '#f2a86f'], [0.62, '#c9695b']),
      orb(1120, 430, 84, '#fff3d6'),
      ridges(W, 640, ['#b4697a', '#8a4f6d', '#5d3b5e'], { from: 470, step: 46, amp: 46, seed: 3 }),
      repeat(9, (n) =>
        house(90 + n * 74, 626 - (n % 3) * 8, 58, 44 + (n % 4) * 12, {
          wall: n % 2 ? '#4a2f4e' : '#57375a',
          roof: '#38233f',
          lit: n % 3 ? '#ffd79a' : '#f6b46f',
        }),
      ),
      verticalGradient(0, 630, W, 370, [0, '#d98a6b'], [0.4, '#7d4f72'], [1, '#2f2a4a']),
      glints(960, 640, 340, 330, '#ffe3b0', 34, 5),
      glints(0, 650, W, 330, '#ffffff', 26, 8),
      rect(0, 622, 780, 16, '#2c1f36'),
      boat(420, 740, 210, '#f3ece2', '#d7573f'),
      boat(820, 700, 130, '#2b2440', '#f0c98e'),
      boat(1280, 800, 270, '#fbf6ec', '#2d6a7d'),
      repeat(5, (n) => bird(240 + n * 70, 220 + (n % 3) * 34, 17, '#7a4356')),
    ),
  'tea-field': () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#fdf6dd'], [0.45, '#cfe6c4'], [1, '#9cc79b']),
      orb(420, 240, 64, '#fffdf0'),
      ridges(W, H, ['#bfdcc0', '#96c29c', '#6fa67d'], { from: 360, step: 46, amp: 44, seed: 17 }),
      repeat(3, (n) => ellipse(300 + n * 520, 470 + n * 14, 420, 24, '#ffffff', 'opacity=".5"')),
      path(`M0,${H} V560 Q500,430 1000,520 T1600,500 V${H} Z`, '#4f8f5b'),
      repeat(11, (n) =>
        line(
          `M${-80 - n * 12},${600 + n * 46} Q520,${455 + n * 50} 1010,${548 + n * 50} T1700,${520 + n * 52}`,
          n % 2 ? '#3b7649' : '#79b26b',
          24 + n * 2,
        ),
      ),
      house(1240, 516, 92, 52, { wall: '#f2e6cf', roof: '#8a5a44', lit: '#a9825f' }),
      cedars(1360, 520, 200, 6, 120, '#3c6e4c', 4),
      repeat(3, (n) =>
        group(
          `translate(${420 + n * 190} ${640 + n * 34}) scale(1.15)`,
          ellipse(0, 26, 16, 26, ['#e4572e', '#2e86ab', '#f3c969'][n]),
          circle(0, -4, 11, '#f0cfae'),
          path('M-24,-6 Q0,-30 24,-6 Z', '#e8d8a8'),
        ),
      ),
    ),
  'night-train': () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#0d1733'], [0.6, '#2b4274'], [1, '#4d6a9a']),
      stars(140, 11, 520),
      orb(1210, 210, 60, '#f7f0d6'),
      ridges(W, H, ['#334f80', '#263e69', '#1a2d51'], { from: 430, step: 70, amp: 60, seed: 12, rough: 0.4 }),
      repeat(7, (n) =>
        path(`M${n * 250 - 90},${H} V700 A105,105 0 0 1 ${n * 250 + 120},700 V${H} Z`, '#101c36'),
      ),
      rect(0, 560, W, 60, '#0b1428'),
      repeat(7, (n) =>
        path(`M${n * 250 - 78},${H} V716 A93,93 0 0 1 ${n * 250 + 108},716 V${H} Z`, '#1e3257'),
      ),
      repeat(3, (n) =>
        group(
          `translate(${210 + n * 372} 470)`,
          rect(0, 0, 358, 90, n === 2 ? '#bd3f3a' : '#a9322f', 'rx="12"'),
          rect(0, 58, 358, 10, '#f2d9a0'),
          repeat(6, (w) => rect(22 + w * 55, 18, 38, 30, '#ffe9ad', 'rx="4"')),
          circle(60, 92, 12, '#0a1122'),
          circle(298, 92, 12, '#0a1122'),
        ),
      ),
      polygon('1312,500 1600,452 1600,560 1312,540', '#ffeeb5', 'opacity=".28"'),
      cedars(0, H, W, 17, 200, '#0a1326', 3),
    ),
  kiln: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#26324f'], [0.5, '#7c4f5d'], [0.8, '#d98052']),
      stars(50, 5, 300),
      ridges(W, H, ['#4a3b57', '#392e4a'], { from: 430, step: 90, amp: 60, seed: 31 }),
      cedars(900, 560, 700, 13, 210, '#241f38', 7),
      polygon('0,900 1600,520 1600,1000 0,1000', '#2d2233'),
      repeat(6, (n) =>
        group(
          `translate(${230 + n * 180} ${800 - n * 48})`,
          path('M-112,70 V0 A112,104 0 0 1 112,0 V70 Z', n % 2 ? '#8b5a48' : '#7a4c3f'),
          path('M-40,70 V22 A40,40 0 0 1 40,22 V70 Z', '#ff9d45'),
          path('M-24,70 V34 A24,26 0 0 1 24,34 V70 Z', '#ffe29a'),
        ),
      ),
      rect(1290, 300, 60, 260, '#6d463c'),
      steam(1322, 300, 250, '#f0d6c4', 0.4, 70),
      repeat(26, (n) => circle(1200 + ((n * 97) % 300), 80 + ((n * 61) % 240), 3, '#ffb35c')),
      rect(60, 850, 190, 20, '#1b1524'),
      repeat(8, (n) => circle(80 + n * 22, 838, 12, '#a8754f')),
    ),
  river: () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#f3efe2'], [0.5, '#cfe0dc']),
      orb(680, 260, 70, '#fff8e4'),
      ridges(1000, 1400, ['#b8d0cc', '#93b8b2', '#6d9c93', '#4a7f76'], {
        from: 380,
        step: 90,
        amp: 80,
        seed: 41,
        rough: 0.3,
      }),
      path(
        'M560,720 C300,800 820,900 520,1020 C260,1120 420,1260 300,1400 H900 C860,1240 640,1160 780,1030 C940,880 500,830 600,720 Z',
        '#e9f4f3',
      ),
      path(
        'M568,730 C360,810 800,910 560,1030 C330,1130 500,1270 420,1400 H800 C780,1250 580,1160 720,1030 C870,890 520,830 592,730 Z',
        '#8fc3c9',
      ),
      cedars(20, 1000, 330, 6, 230, '#2f6259', 9),
      cedars(760, 1130, 240, 4, 280, '#264f49', 6),
      repeat(7, (n) => ellipse(330 + n * 72, 1330 + (n % 3) * 24, 46, 20, '#d9dccf')),
    ),
  forest: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#e9f0e4'], [1, '#a8c3ac']),
      repeat(4, (layer) => {
        const next = random(60 + layer);
        const colour = ['#bcd2c0', '#8fb39b', '#5f8f75', '#33664f'][layer];
        return (
          repeat(9 + layer, () => {
            const x = next() * W;
            const thick = 16 + layer * 16;
            return rect(x, 0, thick, H, colour);
          }) + cedars(0, 330 + layer * 60, W, 12, 340, colour, 70 + layer)
        );
      }),
      verticalGradient(0, 560, W, 440, [0, '#ffffff00'], [1, '#20483a']),
      path(
        'M700,1000 C760,880 900,860 860,760 C840,700 800,690 810,650 C850,700 960,720 960,790 C960,880 980,900 1080,1000 Z',
        '#d9c9a3',
      ),
      repeat(5, (n) =>
        polygon(
          `${200 + n * 300},0 ${290 + n * 300},0 ${90 + n * 300},1000 ${-60 + n * 300},1000`,
          '#fffbe0',
          'opacity=".1"',
        ),
      ),
    ),
  bay: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#a9d6e5'], [0.45, '#e4f1ec']),
      cloud(360, 180, 150, '#ffffff'),
      cloud(1180, 130, 200, '#ffffff', 0.7),
      ridges(W, 520, ['#9cc1c0', '#6fa39d'], { from: 340, step: 50, amp: 46, seed: 51 }),
      verticalGradient(0, 430, W, 570, [0, '#5fb0c0'], [1, '#1f6f8b']),
      glints(0, 450, W, 300, '#ffffff', 40, 9),
      path(
        'M0,1000 V700 C420,640 520,900 940,840 C1240,800 1360,600 1600,560 V1000 Z',
        '#e9f6f1',
        'opacity=".8"',
      ),
      path('M0,1000 V735 C400,690 520,930 950,872 C1260,830 1380,640 1600,600 V1000 Z', '#f1dfb6'),
      path('M0,1000 V900 C300,880 420,980 700,1000 Z', '#7aa36a'),
      repeat(12, (n) => circle(30 + n * 42, 930 + (n % 3) * 22, 26, n % 2 ? '#5d8b56' : '#6f9e62')),
      boat(700, 600, 120, '#fff8ec', '#d7573f'),
      bird(520, 260, 20, '#31596b'),
      bird(590, 300, 15, '#31596b'),
    ),
  mountains: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#39437a'], [0.35, '#b06a86'], [0.6, '#f3a77b'], [0.75, '#fbdca6']),
      orb(820, 560, 74, '#fff1cf'),
      polygon('300,640 640,250 760,360 860,290 1180,640', '#7c5a83'),
      polygon('640,250 560,342 622,330 660,372 706,318 760,360', '#fde9dc'),
      polygon('860,290 812,330 858,340 884,372 912,346', '#fde9dc'),
      ridges(W, H, ['#8d5f85', '#6b4a75', '#4b3763', '#2c2448'], {
        from: 570,
        step: 96,
        amp: 70,
        seed: 23,
        rough: 0.5,
      }),
      repeat(3, (n) => ellipse(260 + n * 560, 690 + n * 60, 460, 26, '#ffe6d0', 'opacity=".35"')),
      cedars(0, H, W, 20, 120, '#1d1836', 13),
    ),
  island: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#7cc4d9'], [0.5, '#e9f5ee']),
      cloud(1240, 200, 190, '#ffffff'),
      cloud(300, 260, 130, '#ffffff', 0.7),
      verticalGradient(0, 560, W, 440, [0, '#3f9fb5'], [1, '#125a78']),
      path(
        'M360,600 C460,470 560,400 700,380 C820,290 960,330 1040,420 C1140,440 1230,520 1290,600 Z',
        '#3f8059',
      ),
      path('M520,600 C600,500 700,470 800,470 C920,430 1010,500 1080,600 Z', '#5ca068'),
      repeat(6, (n) =>
        line(
          `M${600 + n * 16},${580 - n * 22} Q820,${520 - n * 22} ${1040 - n * 22},${580 - n * 20}`,
          '#86bd72',
          8,
        ),
      ),
      rect(340, 592, 980, 14, '#e8d9ae'),
      repeat(6, (n) =>
        house(620 + n * 62, 594, 44, 30 + (n % 3) * 6, {
          wall: '#fbf3e2',
          roof: n % 2 ? '#c25a3c' : '#4d6a80',
          lit: '#7a9aa8',
        }),
      ),
      glints(0, 620, W, 360, '#ffffff', 46, 21),
      rect(1180, 440, 22, 120, '#fff8ea'),
      circle(1191, 434, 16, '#d7573f'),
      boat(360, 780, 190, '#fbf4e6', '#1f7a8c'),
    ),
  ferry: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#f7e3c2'], [0.5, '#bfe0e2']),
      orb(300, 250, 66, '#fff9e6'),
      ridges(W, 560, ['#a7c9cb', '#7fadb4'], { from: 430, step: 46, amp: 36, seed: 63 }),
      verticalGradient(0, 520, W, 480, [0, '#4f9fb0'], [1, '#174f6b']),
      glints(0, 540, W, 440, '#ffffff', 50, 27),
      path('M240,640 H1340 L1260,790 H380 Q290,760 240,640 Z', '#fdfaf2'),
      path('M262,690 H1314 L1300,716 H276 Z', '#d7573f'),
      rect(420, 530, 740, 112, '#f4eee0', 'rx="12"'),
      repeat(11, (n) => rect(450 + n * 64, 560, 40, 40, '#2c6077', 'rx="8"')),
      rect(560, 430, 420, 102, '#fdfaf2', 'rx="10"'),
      repeat(6, (n) => rect(590 + n * 62, 456, 42, 34, '#2c6077', 'rx="6"')),
      rect(820, 330, 90, 102, '#d7573f'),
      rect(820, 352, 90, 20, '#fdfaf2'),
      line('M640,430 V320 M640,330 L760,430', '#6b7a82', 6),
      path('M180,800 Q420,760 700,806 T1240,800 T1600,808 V840 H120 Z', '#ffffff', 'opacity=".7"'),
      repeat(6, (n) => bird(1080 + n * 70, 190 + (n % 3) * 56, 20, '#4b6b78')),
    ),
  lighthouse: () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#18264a'], [0.5, '#5a5f93'], [0.72, '#e29a82']),
      stars(80, 17, 560, 1000),
      polygon('430,380 -40,240 -40,460 430,412', '#fff0bd', 'opacity=".34"'),
      polygon('500,380 1060,300 1060,540 500,412', '#fff0bd', 'opacity=".24"'),
      verticalGradient(0, 960, 1000, 440, [0, '#8a6c8e'], [1, '#1d2a4d']),
      glints(0, 980, 1000, 400, '#ffd9b0', 34, 33),
      path('M180,1400 C220,1120 320,1030 470,1010 C640,1000 780,1090 1000,1120 V1400 Z', '#1b2138'),
      polygon('420,1030 436,470 504,470 520,1030', '#fbf5e8'),
      repeat(3, (n) =>
        polygon(
          `${424 + n * 3},${900 - n * 160} ${426 + n * 3},${840 - n * 160} ${514 - n * 3},${840 - n * 160} ${516 - n * 3},${900 - n * 160}`,
          '#d3533d',
        ),
      ),
      rect(412, 440, 116, 32, '#26304f', 'rx="6"'),
      rect(436, 360, 68, 82, '#fff3c2'),
      polygon('424,362 470,304 516,362', '#d3533d'),
      house(560, 1040, 150, 74, { wall: '#e8dcc8', roof: '#7c4a4a', lit: '#ffd58a' }),
    ),
  'hot-spring': () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#d9e4ea'], [0.6, '#f2f0e8']),
      ridges(W, H, ['#c3d2d8', '#a3b9c1', '#859fa8'], { from: 260, step: 80, amp: 66, seed: 71, rough: 0.3 }),
      cedars(0, 560, W, 15, 220, '#5f7f82', 15),
      rect(0, 540, W, 460, '#eef0ec'),
      ellipse(800, 770, 660, 190, '#6f6a64'),
      ellipse(800, 762, 610, 160, '#5fa8a6'),
      ellipse(800, 748, 560, 128, '#8ccac2'),
      repeat(17, (n) => {
        const turn = (n / 17) * Math.PI * 2;
        return ellipse(
          800 + Math.cos(turn) * 640,
          768 + Math.sin(turn) * 176,
          66 + (n % 3) * 20,
          46 + (n % 4) * 8,
          ['#7d776f', '#948d83', '#69645e'][n % 3],
        );
      }),
      repeat(9, (n) => ellipse(200 + n * 150, 590 + (n % 3) * 14, 70, 20, '#ffffff')),
      steam(560, 730, 420, '#ffffff', 0.8, 90),
      steam(960, 740, 380, '#ffffff', 0.7, -80),
      house(1180, 560, 220, 120, { wall: '#8a5f47', roof: '#4c3a36', lit: '#ffd892', snow: '#fbfcfb' }),
      circle(700, 740, 30, '#e9c3a2'),
      path('M668,734 A32,32 0 0 1 732,734 Z', '#3a2c2a'),
      rect(676, 704, 48, 14, '#fdfdfb', 'rx="5"'),
    ),
  snow: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#5d6f93'], [0.6, '#aab6cc'], [1, '#dfe5ee']),
      ridges(W, H, ['#8f9fbd', '#a9b6cd', '#c3cddd'], {
        from: 330,
        step: 80,
        amp: 66,
        seed: 81,
        rough: 0.35,
      }),
      cedars(0, 610, W, 14, 200, '#66789a', 19),
      path('M0,1000 V690 Q420,600 800,670 T1600,640 V1000 Z', '#eef2f7'),
      repeat(5, (n) =>
        house(150 + n * 280, 790 - (n % 2) * 70, 170, 92, {
          wall: '#6d4f45',
          roof: '#463a3d',
          lit: '#ffd37a',
          snow: '#ffffff',
        }),
      ),
      path('M0,1000 V850 Q500,780 900,860 T1600,820 V1000 Z', '#ffffff'),
      repeat(120, (n) => circle((n * 173) % W, (n * 311) % 980, 2 + (n % 4), '#ffffff', 'opacity=".85"')),
    ),
  birds: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#f5d7c1'], [0.4, '#f0e3d2'], [0.55, '#d6d9d4']),
      orb(1220, 300, 72, '#fffaf0'),
      ridge(W, 560, { y: 470, amp: 30, seed: 92, fill: '#a9b3b5' }),
      verticalGradient(0, 510, W, 490, [0, '#cfd3cc'], [1, '#8d9a97']),
      repeat(6, (n) =>
        path(
          `M0,${600 + n * 66} Q400,${570 + n * 70} 820,${610 + n * 66} T1600,${590 + n * 70} V${606 + n * 72} Q1200,${640 + n * 66} 800,${632 + n * 68} T0,${616 + n * 70} Z`,
          n % 2 ? '#b9a68b' : '#a8957c',
        ),
      ),
      repeat(11, (n) =>
        group(
          `translate(${160 + n * 128} ${700 + (n % 4) * 58}) scale(${(0.8 + (n % 3) * 0.25) * (n % 2 ? -1 : 1)} ${0.8 + (n % 3) * 0.25})`,
          ellipse(0, 0, 38, 22, '#f7f2ea'),
          path('M-10,-16 Q20,-30 44,4 Q16,14 -16,8 Z', '#6c5a4c'),
          circle(36, -26, 14, '#f7f2ea'),
          line('M48,-26 L76,-20', '#3c3330', 4),
          circle(40, -29, 3, '#222'),
          line('M-6,20 V56 M8,20 V56', '#c2743f', 4),
        ),
      ),
      repeat(14, (n) => bird(300 + ((n * 137) % 900), 120 + ((n * 71) % 220), 16, '#7d6b66')),
    ),
  stars: () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#070d24'], [0.6, '#1d2c5e'], [1, '#5b5b93']),
      group(
        'rotate(-28 500 600)',
        ellipse(500, 560, 900, 150, '#a9b6ff', 'opacity=".13"'),
        ellipse(500, 560, 900, 84, '#dfe3ff', 'opacity=".16"'),
        ellipse(500, 566, 900, 34, '#ffffff', 'opacity=".16"'),
      ),
      stars(190, 29, 1000, 1000),
      line('M690,170 L560,260', '#ffffff', 4, 'opacity=".8"'),
      ridges(1000, 1400, ['#2b315f', '#1c2249', '#10142f'], {
        from: 1010,
        step: 90,
        amp: 80,
        seed: 95,
        rough: 0.6,
      }),
      house(420, 1180, 120, 60, { wall: '#171a35', roof: '#0c0f22', lit: '#ffcf7d' }),
      cedars(0, 1400, 1000, 9, 220, '#080b1d', 31),
    ),
  fireworks: () =>
    svg(
      1000,
      1400,
      verticalGradient(0, 0, 1000, 1400, [0, '#0b1030'], [0.7, '#26265a'], [1, '#3b3a6e']),
      burst(520, 400, 330, '#ffd166', 26),
      burst(240, 640, 200, '#ef6f6c', 18),
      burst(780, 700, 220, '#7bdff2', 20),
      burst(700, 200, 140, '#f7aef8', 16),
      ridge(1000, 1060, { y: 1000, amp: 40, seed: 97, fill: '#141638' }),
      repeat(30, (n) => circle(20 + n * 33, 1030 + (n % 3) * 6, 4, '#ffdf9e')),
      verticalGradient(0, 1050, 1000, 350, [0, '#34346b'], [1, '#0d1130']),
      glints(120, 1060, 760, 300, '#ffd98e', 40, 37),
      glints(0, 1070, 1000, 300, '#7bdff2', 14, 39),
      boat(300, 1220, 150, '#0a0d26', '#17194a'),
      boat(720, 1270, 190, '#0a0d26', '#17194a'),
    ),
  boatyard: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#cde4ea'], [0.6, '#f6ecd8']),
      cloud(420, 190, 170, '#ffffff'),
      verticalGradient(0, 470, W, 200, [0, '#7fb8c4'], [1, '#4f93a6']),
      glints(0, 480, W, 160, '#ffffff', 26, 43),
      path('M0,1000 V640 Q700,580 1600,660 V1000 Z', '#ecd9ae'),
      polygon('180,650 180,330 800,190 1420,330 1420,650', '#0000', 'stroke="#6b4a38" stroke-width="18"'),
      polygon('120,346 800,180 1480,346 1480,300 800,130 120,300', '#7d5844'),
      path(
        'M300,640 Q420,820 760,836 H980 Q1260,800 1370,560 L1310,566 Q1180,690 940,700 H640 Q420,690 300,640 Z',
        '#b9793f',
      ),
      path(
        'M300,640 Q460,760 760,768 H980 Q1230,740 1350,600 L1370,560 Q1220,700 960,706 H640 Q420,694 300,640 Z',
        '#d69a57',
      ),
      repeat(8, (n) =>
        line(
          `M${430 + n * 108},${700 + (n > 5 ? -(n - 5) * 22 : 8)} V${590 - (n > 5 ? (n - 5) * 26 : 0)}`,
          '#8a5a30',
          12,
        ),
      ),
      repeat(4, (n) => polygon(`${480 + n * 190},900 ${520 + n * 190},820 ${560 + n * 190},900`, '#6b4a38')),
      group(
        'translate(250 800)',
        ellipse(0, 40, 26, 56, '#2f5d7c'),
        circle(0, -34, 24, '#e8bd95'),
        path('M-26,-38 Q0,-70 26,-38 Z', '#f4efe2'),
      ),
      repeat(5, (n) => rect(1180, 900 - n * 20, 330, 15, n % 2 ? '#c98f55' : '#b57b44', 'rx="4"')),
    ),
  salt: () =>
    svg(
      W,
      H,
      verticalGradient(0, 0, W, H, [0, '#8fd0e0'], [0.5, '#f1f6ee']),
      orb(420, 190, 72, '#fffbe6'),
      verticalGradient(0, 430, W, 140, [0, '#4aa5ba'], [1, '#2f86a2']),
      glints(0, 440, W, 110, '#ffffff', 24, 47),
      rect(0, 560, W, 440, '#d7bd92'),
      repeat(9, (n) =>
        line(
          `M${-100},${600 + n * 48} Q800,${580 + n * 50} 1700,${604 + n * 48}`,
          n % 2 ? '#c9ac7d' : '#e3cda6',
          10,
        ),
      ),
      repeat(4, (n) =>
        polygon(
          `${150 + n * 330},${830 + (n % 2) * 70} ${270 + n * 330},${640 + (n % 2) * 70} ${400 + n * 330},${830 + (n % 2) * 70}`,
          '#fdfdfb',
        ),
      ),
      repeat(4, (n) =>
        polygon(
          `${270 + n * 330},${640 + (n % 2) * 70} ${400 + n * 330},${830 + (n % 2) * 70} ${300 + n * 330},${830 + (n % 2) * 70}`,
          '#dfe5e6',
        ),
      ),
      house(1250, 590, 230, 130, { wall: '#7a5a45', roof: '#57423a', lit: '#ffb45e' }),
      steam(1370, 390, 220, '#ffffff', 0.8, 60),
      group(
        'translate(800 610)',
        ellipse(0, 20, 24, 50, '#3b5f8a'),
        circle(0, -46, 22, '#e6bb92'),
        path('M-36,-52 Q0,-88 36,-52 Z', '#e9d8a4'),
        line('M-70,-20 H70', '#6b4a38', 7),
        rect(-92, -16, 44, 40, '#9a6a45', 'rx="5"'),
        rect(48, -16, 44, 40, '#9a6a45', 'rx="5"'),
      ),
    ),
};

/** Random stars from the top down to `height`. */
function stars(count, seed, height, width = W) {
  const next = random(seed);
  return repeat(count, () =>
    circle(
      (next() * width).toFixed(0),
      (next() * height).toFixed(0),
      (1 + next() * 2.4).toFixed(1),
      '#ffffff',
      `opacity="${(0.4 + next() * 0.6).toFixed(2)}"`,
    ),
  );
}

function burst(x, y, r, colour, rays) {
  return repeat(rays, (n) => {
    const turn = (n / rays) * Math.PI * 2;
    const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
    return (
      line(
        `M${x + dx * r * 0.3},${y + dy * r * 0.3} L${x + dx * r},${y + dy * r}`,
        colour,
        4,
        'opacity=".75"',
      ) + circle(x + dx * r * 1.06, y + dy * r * 1.06, 7, colour)
    );
  });
}
