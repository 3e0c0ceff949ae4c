// The demo posts, newest first.
import type { PersonKey, PlanKey } from './people.ts'
import type { DemoReactions } from './reactions.ts'
import { autumn, bamboo, mistyHills, summerCloud } from './scenes-land.ts'
import { fireworks, lanterns, moonGrass, snowNight } from './scenes-night.ts'
import { foldedPaper, letters, tea, windowLight } from './scenes-room.ts'
import { blossoms, goldfish, umbrellas } from './scenes-water.ts'

export interface DemoPicture {
  readonly draw: () => string
  readonly crop?: { readonly width: number; readonly height: number }
}

export interface DemoPost {
  readonly author: PersonKey
  readonly hoursAgo: number
  readonly content: string
  readonly pictures?: readonly DemoPicture[]
  readonly video?: boolean
  readonly plans?: readonly PlanKey[]
  readonly title?: string
  readonly introduction?: string
  readonly price?: number
  readonly ageLimited?: boolean
  readonly buyers?: readonly PersonKey[]
  readonly reactions?: DemoReactions
}

const portrait = { width: 960, height: 1200 }
const square = { width: 1080, height: 1080 }
const wide = { width: 1280, height: 720 }

export const demoPosts: readonly DemoPost[] = [
  {
    author: 'haru',
    hoursAgo: 2,
    content:
      'おはようございます。今朝の海を8秒だけ。\n波の音も録れたので、よかったら音を出して見てください。\n紙の舟は、きのうの原稿の書き損じです。',
    video: true,
    reactions: {
      likedBy: ['minato', 'kami', 'yuu', 'tsuki'],
      comments: [
        {
          by: 'minato',
          text: '波の音を聞きながら通勤しました。舟がゆっくり進むのがいいですね。',
          likedBy: ['haru', 'tsuki'],
          replies: [
            { by: 'haru', text: 'ありがとうございます。次はもう少し長く撮ってみます。', likedBy: ['minato'] },
          ],
        },
        { by: 'kami', text: '原稿用紙の舟、うちの紙でも折ってみました。' },
      ],
    },
  },
  {
    author: 'kami',
    hoursAgo: 5,
    content:
      '注文の手紙、今日ぜんぶ封をしました。\n朱の封蝋は気温で仕上がりが変わります。今日はきれいに出ました。\n折り鶴は、余った紙でつくった同封のおまけです。',
    pictures: [{ draw: letters }, { draw: foldedPaper }, { draw: windowLight, crop: portrait }],
    reactions: {
      likedBy: ['haru', 'yuu'],
      comments: [{ by: 'haru', text: '封蝋の朱が、紙によく映えています。', likedBy: ['kami'] }],
    },
  },
  {
    author: 'yuu',
    hoursAgo: 9,
    content:
      '尾根に出たら、下はぜんぶ雲でした。鳥だけが先に行きます。\n標高1,240m、気温4度。手袋を忘れました。',
    pictures: [{ draw: () => mistyHills() }],
  },
  {
    author: 'haru',
    hoursAgo: 21,
    content:
      '【朝の海プランのみなさんへ】\n来月の絵はがきの下絵です。金魚と雨傘、どちらにするかまだ迷っています。\n色はもう少し沈めて、紙の白を残すつもりです。届くのは5日ごろになります。',
    pictures: [{ draw: goldfish }, { draw: umbrellas }],
    plans: ['morning'],
  },
  {
    author: 'akari',
    hoursAgo: 27,
    content:
      '灯りのある夜を三つ。\n縁日の提灯、湾の花火、雪の港町。\nどれも少し離れて見るのがいちばん好きです。',
    pictures: [{ draw: lanterns }, { draw: fireworks }, { draw: snowNight }],
  },
  {
    author: 'tsuki',
    hoursAgo: 31,
    content:
      '手紙の本を読み終えました。\n届くまでの時間も手紙の一部だ、という一文に線を引いて、しばらく窓の外を見ていました。\nすぐに届くことと、確かに届くことは、似ているようで少し違う。',
  },
  {
    author: 'kaede',
    hoursAgo: 45,
    content:
      '並木道の色を数えてみたら、ひとつの木に七色ありました。\n同じ赤はひとつもないので、染め見本も毎年つくり直しです。',
    pictures: [{ draw: autumn }, { draw: bamboo, crop: portrait }],
  },
  {
    author: 'haru',
    hoursAgo: 52,
    content:
      '壁紙サイズの原画を三枚まとめました。\n春の枝、夏の雲、秋の月。季節ごとに入れ替えて使ってもらえたらうれしいです。',
    pictures: [{ draw: blossoms }, { draw: summerCloud }, { draw: moonGrass }],
    title: '季節の壁紙 三枚セット',
    introduction: '壁紙サイズの原画です。端末の縦長の画面に合わせて描きました。',
    price: 800,
    buyers: ['kami'],
  },
  {
    author: 'minato',
    hoursAgo: 57,
    content:
      '駅前の喫茶店、朝7時からになっていました。\n窓ぎわの席で一時間だけ本を読んで出勤。いい一日になりそうです。',
  },
  {
    author: 'kaede',
    hoursAgo: 71,
    content: '休憩。お茶の緑も、染めようとすると難しい色です。',
    pictures: [{ draw: tea, crop: square }],
  },
  {
    author: 'haru',
    hoursAgo: 80,
    content:
      '【アトリエプランのみなさんへ】\n個展の並び順を決めています。入口は春、いちばん奥に夜の絵を置く予定です。\n図面と、額の木の色の候補を載せます。意見を聞かせてください。',
    pictures: [{ draw: windowLight, crop: wide }],
    plans: ['atelier'],
  },
  {
    author: 'akari',
    hoursAgo: 97,
    content:
      '蔵の並ぶ通りで、にごり酒の飲みくらべ。\n軒先の灯りが杯に映って、どこまでが酒でどこからが灯りかわからなくなる夜でした。\n（お酒の話なので年齢制限をつけています）',
    pictures: [{ draw: lanterns, crop: portrait }],
    ageLimited: true,
  },
  {
    author: 'tsuki',
    hoursAgo: 121,
    content: '満月。電気を消して、月の明るさだけで一篇だけ読みました。思ったより読めます。',
    pictures: [{ draw: moonGrass, crop: wide }],
  },
  {
    author: 'yuu',
    hoursAgo: 146,
    content:
      '下山。バスを一本見送って、田んぼの道を駅まで歩きました。雲が大きい日は、急がないことにしています。',
    pictures: [{ draw: summerCloud, crop: wide }],
  },
  {
    author: 'haru',
    hoursAgo: 170,
    content:
      'はじめまして、汐見はると申します。\n海の見える部屋で絵を描いています。ここでは、描いている途中のものや、朝の海の様子をお届けします。\nどうぞよろしくお願いします。',
  },
]

/** Words that many people have searched for, the most frequent first. Each finds an open post. */
export const demoSearches = ['朝の海', '満月', '手紙', 'お茶'] as const
