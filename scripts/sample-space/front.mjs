/** The blocks of the front page, by language. Articles, events and galleries are given by slug. */
export const front = {
  ja: [
    ['hero', { kicker: '今号の一本', article: 'harbour-at-dusk' }],
    [
      'article_list',
      {
        heading: '新しい話',
        arrangement: 'grid',
        articles: [
          'one-car-train',
          'ash-glaze',
          'bath-at-five',
          'tidal-flat',
          'three-suns',
          'bookshop-in-a-rice-store',
        ],
      },
    ],
    [
      'quote',
      { text: '一煎目は挨拶、\r\n二煎目が会話。', source: '東雲の茶小屋の黒板', article: 'water-for-tea' },
    ],
    [
      'picture_text',
      {
        picture: 'lighthouse',
        heading: '無人の灯台に、灯りをともし続ける人',
        text: '<p>四十年前に灯台守がいなくなった家に、今も月に一度、窓を磨きに来る人がいます。<strong>光は外へ届くもの</strong>だと思っていましたが、磨かれた窓は内側も照らしていました。</p>',
        link: 'lighthouse-keepers-house',
      },
    ],
    [
      'event_list',
      {
        heading: 'これからの暦',
        events: ['soba-festival', 'paper-lamp', 'last-boat-concert', 'brewery-doors'],
      },
    ],
    ['gallery_teaser', { heading: '海のふち', gallery: 'edges-of-the-sea' }],
    [
      'article_list',
      {
        heading: '夜に読む',
        arrangement: 'list',
        articles: ['night-train', 'climbing-kiln', 'dark-sky-village', 'small-bar', 'last-train-home'],
      },
    ],
  ],
  en: [
    ['hero', { kicker: 'The story of this issue', article: 'harbour-at-dusk' }],
    [
      'article_list',
      {
        heading: 'New stories',
        arrangement: 'grid',
        articles: [
          'one-car-train',
          'ash-glaze',
          'bath-at-five',
          'tidal-flat',
          'three-suns',
          'bookshop-in-a-rice-store',
        ],
      },
    ],
    [
      'quote',
      {
        text: 'The first cup is a greeting,\r\nthe second a conversation.',
        source: 'Blackboard of the tea hut, Shinonome',
        article: 'water-for-tea',
      },
    ],
    [
      'picture_text',
      {
        picture: 'lighthouse',
        heading: 'Who keeps the windows of a lighthouse without a keeper',
        text: '<p>The keepers left the house forty years ago, and once a month somebody still comes to clean its windows. I had thought that <strong>light is for those outside</strong>, but a clean window lights the inside too.</p>',
        link: 'lighthouse-keepers-house',
      },
    ],
    [
      'event_list',
      {
        heading: 'Coming up',
        events: ['soba-festival', 'paper-lamp', 'last-boat-concert', 'brewery-doors'],
      },
    ],
    ['gallery_teaser', { heading: 'Edges of the sea', gallery: 'edges-of-the-sea' }],
    [
      'article_list',
      {
        heading: 'For the evening',
        arrangement: 'list',
        articles: [
          'climbing-kiln',
          'dark-sky-village',
          'small-bar',
          'last-train-home',
          'fireworks-from-a-barge',
        ],
      },
    ],
  ],
};

/** The blocks of the page about the magazine. */
export const about = {
  ja: [
    [
      'picture_text',
      {
        picture: 'bay',
        heading: '港と山について',
        text: '<p>「港と山」は、海と山にはさまれた小さな地域の、暮らしと手仕事の雑誌です。年に四度、紙で出し、ここにも載せています。</p><p>地名も人も、この見本のために作られたものです。けれども湯気と潮の匂いは、どこかで嗅いだことがあるかもしれません。</p>',
        link: 'edges-of-the-sea',
      },
    ],
    ['quote', { text: '急がなくていい。', source: '取材先で、いちばんよく言われる言葉', article: null }],
  ],
  en: [
    [
      'picture_text',
      {
        picture: 'bay',
        heading: 'About Harbour & Hill',
        text: '<p>Harbour &amp; Hill is a magazine of life and craft in a small country between the sea and the mountains. It appears on paper four times a year, and here.</p><p>The places and people were made up for this sample. The steam and the smell of the tide you may have met somewhere.</p>',
        link: 'edges-of-the-sea',
      },
    ],
    ['quote', { text: 'There is no hurry.', source: 'What we are told most often', article: null }],
  ],
};
