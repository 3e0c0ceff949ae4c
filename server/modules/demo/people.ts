// The demo people and the creator's plans.
import {
  cupEmblem,
  lanternEmblem,
  leafEmblem,
  letterEmblem,
  moonEmblem,
  mountainEmblem,
  sunEmblem,
} from './emblems.ts'
import { mistyHills } from './scenes-land.ts'

export type PersonKey = 'haru' | 'minato' | 'kami' | 'yuu' | 'akari' | 'kaede' | 'tsuki' | 'admin'

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly handle: string
  readonly birthDate: string
  readonly bio: string
  readonly avatar: () => string
  readonly cover?: () => string
}

/** The accounts a first visitor signs in with. */
export const demoAccounts = {
  creator: 'creator@demo.todoke.example',
  fan: 'fan@demo.todoke.example',
  admin: 'admin@demo.todoke.example',
  password: 'todoke-demo1',
} as const

export const demoPeople: Record<PersonKey, DemoPerson> = {
  haru: {
    email: demoAccounts.creator,
    name: '汐見はる',
    handle: 'shiomi_haru',
    birthDate: '1991-07-20',
    bio: '海辺の町で絵を描いています。朝の海と、誰かに届くものの話が好きです。絵はがきの便りは毎月はじめに。',
    avatar: sunEmblem,
    cover: () => mistyHills(11),
  },
  minato: {
    email: demoAccounts.fan,
    name: '小野みなと',
    handle: 'minato',
    birthDate: '1998-03-05',
    bio: '休みの日は喫茶店と本屋をはしごしています。',
    avatar: cupEmblem,
  },
  kami: {
    email: 'kami@demo.todoke.example',
    name: '紙と余白',
    handle: 'kami_to_yohaku',
    birthDate: '1985-11-02',
    bio: '活版印刷と手紙の小さな工房です。封をする時間がいちばん好きです。',
    avatar: letterEmblem,
  },
  yuu: {
    email: 'yuu@demo.todoke.example',
    name: '佐伯ゆう',
    handle: 'saeki_yuu',
    birthDate: '1989-05-14',
    bio: '週末は山にいます。地図と水筒と、ときどき写真。',
    avatar: mountainEmblem,
  },
  akari: {
    email: 'akari@demo.todoke.example',
    name: '灯りの記録',
    handle: 'akari_log',
    birthDate: '1993-12-24',
    bio: '夜の町の灯りを集めています。',
    avatar: lanternEmblem,
  },
  kaede: {
    email: 'kaede@demo.todoke.example',
    name: '森下かえで',
    handle: 'kaede_dye',
    birthDate: '1995-10-08',
    bio: '季節の色を調べて、布に染めています。',
    avatar: leafEmblem,
  },
  tsuki: {
    email: 'tsuki@demo.todoke.example',
    name: '月待ち読書室',
    handle: 'tsukimachi',
    birthDate: '1990-09-17',
    bio: '夜更かしの読書記録。感想は短く、余韻は長く。',
    avatar: moonEmblem,
  },
  admin: {
    email: demoAccounts.admin,
    name: 'とどけ運営',
    handle: 'todoke_desk',
    birthDate: '1988-04-01',
    bio: '審査とお知らせを担当しています。',
    avatar: letterEmblem,
  },
}

export type PlanKey = 'morning' | 'atelier'

interface DemoPlan {
  readonly name: string
  readonly price: number
  readonly description: string
  readonly thanks: string
  readonly members: readonly PersonKey[]
}

export const demoPlans: Record<PlanKey, DemoPlan> = {
  morning: {
    name: '朝の海プラン',
    price: 500,
    description: '毎朝の海の写真を、大きなサイズでお届けします。\n月に一度、その月のお気に入りをまとめます。',
    thanks: 'ご加入ありがとうございます。明日の朝の海も、楽しみにしていてください。',
    members: ['minato', 'kami', 'tsuki'],
  },
  atelier: {
    name: 'アトリエプラン',
    price: 1500,
    description: '朝の海プランの内容に加えて、制作中の絵と、その日の記録を公開します。',
    thanks: 'アトリエへようこそ。ご加入ありがとうございます。',
    members: ['kaede'],
  },
}

/** Follows of the demo people. The demo accounts follow no one at first, like a new member. */
export const demoFollows: readonly (readonly [PersonKey, PersonKey])[] = [
  ['kami', 'haru'],
  ['yuu', 'haru'],
  ['kaede', 'haru'],
  ['tsuki', 'haru'],
  ['kaede', 'kami'],
  ['tsuki', 'kami'],
  ['kami', 'kaede'],
  ['akari', 'yuu'],
  ['tsuki', 'akari'],
]
