/** Passages for any article of a season or place, in Japanese and English. `{place}` is replaced by the place’s name. */

export const openings = {
  spring: [
    [
      '四月の{place}は、朝と昼で別の町のように明るさが違う。上着を持って出て、昼には腕に掛けて歩いた。',
      'In April {place} is one town in the morning and another by noon. I left with a coat on, and carried it over my arm by lunch.',
    ],
    [
      '雪解けの水で川が太くなるころ、{place}を訪ねた。道端にはもう土筆が並び、挨拶の声も少し大きい。',
      'I came to {place} as the rivers were swelling with snowmelt. Horsetails stood along the road, and people’s greetings had grown a little louder.',
    ],
    [
      '{place}の桜は、平地より十日遅い。散った花びらが水路を流れ、曲がり角ごとに小さな渦をつくっていた。',
      'The cherries of {place} are ten days behind those of the plain. Their petals came down the channels and made small eddies at each turn.',
    ],
    [
      '春の雨が上がった午後だった。{place}の屋根という屋根から湯気が立ち、町が一度に息をついたように見えた。',
      'It was an afternoon after spring rain. Steam rose from every roof of {place}, as if the whole place had let out its breath.',
    ],
    [
      '約束の時刻より早く{place}に着いた。燕が電線に一羽だけとまっていて、まだ誰にも知らせていない、という顔をしている。',
      'I reached {place} before the appointed hour. A single swallow sat on the wire, looking as if it had not yet told anyone.',
    ],
  ],
  summer: [
    [
      '{place}の夏は、音から始まる。蝉、風鈴、遠くの草刈り機。日陰を選んで歩くと、道は自然と遠回りになった。',
      'Summer in {place} begins with sounds: cicadas, wind bells, a mower far away. Keeping to the shade turned every walk into a detour.',
    ],
    [
      '梅雨の晴れ間を縫って{place}へ向かった。濡れた葉がいっせいに光り、写真を撮る手が追いつかない。',
      'I made for {place} in a gap of the rains. All the wet leaves shone at once, faster than I could take pictures.',
    ],
    [
      '昼の{place}には誰もいない。三時を過ぎると、水を打つ音がして、戸が一枚ずつ開いていく。',
      'At noon there is nobody in {place}. After three you hear water being sprinkled, and one by one the doors slide open.',
    ],
    [
      '入道雲を背にして、{place}の坂を登った。途中で三人に「暑いね」と言われ、三人に同じ返事をした。',
      'With a thunderhead behind me I climbed the slope into {place}. Three people told me it was hot, and I gave all three the same reply.',
    ],
    [
      '夕立のあと、{place}の空気は一段軽くなる。縁側に出た人たちが、涼しさを分け合うように話しはじめた。',
      'After the shower the air of {place} is a shade lighter. People came out on their verandas and talked as if sharing the coolness out.',
    ],
  ],
  autumn: [
    [
      '{place}に着くと、どの軒にも柿が下がっていた。数えはじめて、四十で諦める。',
      'In {place} persimmons hung from every eave. I began to count, and gave up at forty.',
    ],
    [
      '日が短くなった。{place}では四時を過ぎると影が道の端まで届き、家々に早い灯りがともる。',
      'The days had shortened. In {place} the shadows reach across the road soon after four, and early lamps come on in the houses.',
    ],
    [
      '刈り入れの終わった{place}の田に、藁の匂いが残っている。空は高く、鳶が一度だけ鳴いた。',
      'The harvest was in, and a smell of straw hung over the fields of {place}. The sky was high; a kite called, just once.',
    ],
    [
      '台風が逸れた翌日、{place}の空は洗ったように青かった。誰もが物干し竿いっぱいに布団を干している。',
      'The typhoon had missed us, and next day the sky over {place} was as blue as if it had been washed. Everyone’s bedding was out on the poles.',
    ],
    [
      '朝の{place}は霧の底にあった。電柱が一本ずつ現れては消え、歩いているのが自分なのか町なのか、わからなくなる。',
      'In the morning {place} lay at the bottom of a fog. The poles came up and went, one by one, till I could not say whether it was I who walked or the town.',
    ],
  ],
  winter: [
    [
      '{place}の冬は静かだ。靴の下で霜柱が鳴る音まで、はっきり聞こえる。',
      'Winter is quiet in {place}. You can hear the frost needles break under your shoes.',
    ],
    [
      '午前七時、{place}の気温は氷点下二度。息が白いうちに話を聞こうと、少し急いで歩いた。',
      'Seven in the morning, two below zero in {place}. I walked a little faster, to hear the story while our breath was still white.',
    ],
    [
      '日の当たる側の道だけが乾いていた。{place}の人は冬のあいだ、申し合わせたようにそちらを歩く。',
      'Only the sunny side of the road was dry. All winter the people of {place} walk on that side, as if by agreement.',
    ],
    [
      '年の瀬の{place}は、どの家からも湯気が出ている。通りを歩くだけで、夕食の献立が五軒分わかった。',
      'At the end of the year every house in {place} gives off steam. One walk along the street, and I knew five suppers.',
    ],
    [
      '雪はまだ来ていなかった。けれども{place}では、もう誰もが雪の話をしている。来る前の雪は、いつも少し多い。',
      'The snow had not come yet, but in {place} everyone was speaking of it. Before it comes, there is always a little more of it.',
    ],
  ],
};

export const endings = [
  [
    '帰りぎわに、次はいつ来るのかと聞かれた。季節の名前で答えると、それでいい、という顔でうなずかれた。',
    'As I left I was asked when I would come again. I answered with the name of a season, and was given a nod that said that would do.',
  ],
  [
    '駅へ向かう道で、手に残った匂いに気づいた。洗えば落ちるが、その日は洗わずに眠った。',
    'On the way to the station I noticed a scent on my hands. It would wash off. That night I went to bed without washing them.',
  ],
  [
    'ノートには天気と名前と、聞きとれなかった言葉がひとつ。意味を確かめに、また来ることにする。',
    'In my notebook there were the weather, some names, and one word that I had not caught. I shall have to come back and ask what it means.',
  ],
  [
    '写真は三十枚撮ったが、いちばん見せたいものはどれにも写っていない。だからこうして書いている。',
    'I took thirty pictures, and what I most want to show is in none of them. That is why I have written it down.',
  ],
  [
    '変わらないものを見に行ったつもりが、変え方の上手な人たちに会って帰ってきた。',
    'I had gone to see something that does not change, and came home having met people who are good at changing.',
  ],
  [
    '別れて歩きだすと、後ろでもう仕事の音がしていた。振り返らずに、しばらく聞きながら歩いた。',
    'When I had said goodbye and walked on, the sound of work began again behind me. I did not look round, and listened for as long as it lasted.',
  ],
  [
    '急がなくていい、と今日だけで四度言われた。五度目は自分で言った。',
    'Four times that day I was told there was no hurry. The fifth time I said it myself.',
  ],
  [
    '包んでもらった土産は、家に着くまで二度開けて確かめた。ちゃんとそこにあった。',
    'They had wrapped something for me to take along. I opened it twice on the way, to make sure. It was still there.',
  ],
  [
    '地図で見れば小さな点だが、その点の中を一日歩いても、まだ端に着かなかった。',
    'On the map it is a small dot. I walked about in that dot for a whole day, and did not come to its edge.',
  ],
  [
    '最後に、何を書けばよいかと尋ねた。「来ればわかる、と書いて」と言われたので、そのとおりに書く。',
    'At last I asked what I ought to write. “Write that one has to come and see,” they said. So I do.',
  ],
  [
    '日が落ちて、窓に灯りがともった。外から見るその窓の中に、さっきまで自分もいた。',
    'The sun went down, and a light came on in the window. A little while ago I had been on the other side of it.',
  ],
];

/** Places: name, and how to get there. */
export const places = {
  hamanagi: {
    name: ['浜凪', 'Hamanagi'],
    visit: [
      [
        '浜凪へは本線の浜凪駅から歩いて六分。市場の見学は朝七時までで、長靴は番小屋で借りられる。',
        'Hamanagi is six minutes on foot from its station on the main line. The market may be visited until seven in the morning, and boots can be borrowed at the watch-house.',
      ],
      [
        '港の食堂は昼の二時に閉まる。日曜は休み、海が荒れた翌日も休みである。',
        'The dining rooms at the harbour close at two, on Sundays, and on the day after rough seas.',
      ],
    ],
  },
  shinonome: {
    name: ['東雲', 'Shinonome'],
    visit: [
      [
        '東雲行きのバスは朝と夕方の二本。帰りを逃したら、茶小屋の電話で車を頼むことができる。',
        'There are two buses to Shinonome, one in the morning and one towards evening. If you miss the one back, the telephone in the tea hut will find you a car.',
      ],
      [
        '畑のあいだの道は誰でも歩ける。ただし摘み取りの五月だけは、声をかけてからにしたい。',
        'Anyone may walk the paths between the fields, but in May, at picking time, do ask first.',
      ],
    ],
  },
  shirase: {
    name: ['白瀬', 'Shirase'],
    visit: [
      [
        '白瀬の工房は、看板よりも物干し竿を目印にするとよい。布か紙が揺れていれば、開いている。',
        'To find the workshops of Shirase look for the drying poles rather than for signs. If cloth or paper is swaying there, they are open.',
      ],
      [
        '川沿いの道は駅から二十五分。急ぐ人は自転車を、急がない人は歩くことを勧められる。',
        'The river path takes twenty-five minutes from the station. Those in a hurry are advised to take a bicycle, the others to walk.',
      ],
    ],
  },
  tochione: {
    name: ['栃尾根', 'Tochione'],
    visit: [
      [
        '栃尾根は標高七百四十メートル。夏でも夜は長袖がほしい。最終のバスは十七時五分に峠を越える。',
        'Tochione lies at seven hundred and forty metres, and even in summer you will want long sleeves at night. The last bus crosses the pass at five past five.',
      ],
      [
        '冬のあいだ、峠の道は雪で閉まることがある。開いているかどうかは、茶屋に電話するのがいちばん早い。',
        'In winter the pass may be closed by snow. The quickest way to find out is to ring the tea house.',
      ],
    ],
  },
  chinami: {
    name: ['千波', 'Chinami'],
    visit: [
      [
        '千波の浜へは浜凪から海沿いに四キロ。潮の引く時刻を調べて出かければ、砂の上を歩いて行ける。',
        'Chinami is two and a half miles along the shore from Hamanagi. Look up the time of low water and you can walk all the way on sand.',
      ],
      [
        '浜の仕事場は見学できるが、風の強い日は火を使うので近寄れない。手土産には甘いものが喜ばれる。',
        'The workshops on the beach may be visited, except in strong wind when there is a fire going. Something sweet is a welcome present.',
      ],
    ],
  },
  furumachi: {
    name: ['古町', 'Furumachi'],
    visit: [
      [
        '古町の路地に車は入れない。橋のたもとに停めて、あとは鼻と耳を頼りに歩く。',
        'No car can enter the lanes of Furumachi. Leave yours by the bridge and go on by nose and ear.',
      ],
      [
        '店の開く時刻はまちまちで、休みの日もまちまちだ。三軒訪ねて一軒開いていれば、よい日である。',
        'Shops open at various hours and close on various days. If one of three is open, it is a good day.',
      ],
    ],
  },
  takami: {
    name: ['鷹見', 'Takami'],
    visit: [
      [
        '鷹見までは浜凪から列車で一時間十分。進行方向の左側に座ると、鉄橋の景色がよく見える。',
        'Takami is an hour and ten minutes by train from Hamanagi. Sit on the left for the view from the bridge.',
      ],
      [
        '共同湯は五時から二十一時まで、二百円。石鹸と手拭いは番台で買える。',
        'The public bath is open from five to nine at night and costs two hundred yen. Soap and towels are sold at the door.',
      ],
    ],
  },
  okinose: {
    name: ['沖ノ瀬島', 'Okinose'],
    visit: [
      [
        '沖ノ瀬島への船は一日五便、浜凪港から四十分。自転車は三百円で一緒に乗せられる。',
        'Five boats a day go to Okinose, forty minutes from the harbour of Hamanagi. A bicycle may come along for three hundred yen.',
      ],
      [
        '島に銀行はなく、店は夕方五時に閉まる。宿には電話で、できれば船に乗る前に。',
        'The island has no bank, and its shops close at five. Ring the inn, and do it before you board.',
      ],
    ],
  },
};
