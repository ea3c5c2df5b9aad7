/** Every image: id, file name without extension, alternative text in Japanese and English. */
export const images = [
  [901, 'harbour', '夕暮れの港', 'A harbour at dusk'],
  [902, 'tea-field', '朝の茶畑', 'A tea field in the morning'],
  [903, 'night-train', '夜の鉄橋を渡る列車', 'A train crossing a bridge at night'],
  [921, 'kiln', '山の斜面を登る窯と、煙突の煙', 'A kiln climbing a hillside, smoke at its chimney'],
  [922, 'bowls', '棚に並んだ四つの鉢', 'Four bowls on a shelf'],
  [923, 'indigo', '竿に干された青い布', 'Blue cloth drying on poles'],
  [924, 'loom', '窓辺に置かれた機', 'A loom by a window'],
  [925, 'washi', '軒に立てて干される紙', 'Sheets of paper drying under the eaves'],
  [926, 'river', '谷を曲がって流れる川', 'A river winding through a valley'],
  [927, 'workshop', '木工の作業台と道具', 'A woodworker’s bench with tools'],
  [928, 'forest', '霧のかかった杉の森', 'A cedar forest in mist'],
  [929, 'boatyard', '浜の上の造りかけの船', 'A half-built boat on the beach'],
  [930, 'bay', '弓なりの入り江と砂浜', 'A curving bay with a beach'],
  [931, 'teacup', '湯気の立つ湯呑みと急須', 'A steaming cup and a teapot'],
  [932, 'market', '朝市の屋台と日よけ', 'Stalls and awnings of a morning market'],
  [933, 'salt', '塩の山と煮詰める釜', 'Heaps of salt and a boiling pan'],
  [934, 'soba', 'ざるに盛った蕎麦と薬味', 'Buckwheat noodles on a bamboo tray'],
  [935, 'mountains', '朝焼けの連なる山', 'Ranges of mountains at sunrise'],
  [936, 'brewery', '雪の酒蔵と煙突の湯気', 'A brewery in the snow, steam at its chimney'],
  [937, 'old-town', '灯りのともる古い町並み', 'Old houses with lit windows'],
  [938, 'citrus', '枝に実った柑橘と海', 'Citrus on the branch, the sea behind'],
  [939, 'island', '海に浮かぶ緑の島', 'A green island in the sea'],
  [940, 'station', '小さな駅と一両の列車', 'A small station and a train of one car'],
  [941, 'ferry', '白い連絡船', 'A white ferry under way'],
  [942, 'lighthouse', '岬の灯台と光', 'A lighthouse on its cape, and its beam'],
  [943, 'hot-spring', '岩に囲まれた湯と湯気', 'A hot spring among rocks, steaming'],
  [944, 'snow', '雪の積もった村の家', 'A village under snow'],
  [945, 'birds', '干潟に立つ鳥たち', 'Birds standing on the tidal flat'],
  [946, 'stars', '山の上の星空', 'Stars above a mountain'],
  [947, 'bookshop', '本棚の並ぶ店の中', 'Inside a shop full of bookshelves'],
  [948, 'lanterns', '夜に並ぶ赤い提灯', 'Rows of red lanterns at night'],
  [949, 'fireworks', '海の上の花火', 'Fireworks over the sea'],
  [950, 'old-cover', '創刊号の表紙', 'The cover of the first issue'],
];

/** The portrait of each author: id and the author's slug. */
export const portraits = [
  [911, 'mori'],
  [912, 'tanaka'],
  [913, 'kobayashi'],
  [914, 'berg'],
  [915, 'miyake'],
  [916, 'onishi'],
  [917, 'shiraishi'],
  [918, 'okafor'],
  [919, 'nonomura'],
];

/** Images in JPEG; the others are WebP. */
const JPEG = new Set(['harbour', 'tea-field', 'night-train', 'mori', 'tanaka']);

export const fileOf = (name) => `${name}.${JPEG.has(name) ? 'jpg' : 'webp'}`;
