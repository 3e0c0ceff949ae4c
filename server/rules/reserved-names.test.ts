// Names that impersonate the operator are reserved; names of people are not.
import { describe, expect, test } from 'vitest'
import { reservedFields, reservedReason } from './reserved-names.ts'

describe('reserved for the operator', () => {
  test.each([
    ['とどけ', 'brand'],
    ['とどけ公式', 'brand'],
    ['とどけ 公式', 'brand'],
    ['トドケ公式', 'brand'],
    ['ﾄﾄﾞｹ公式', 'brand'],
    ['とと\u3099け運営', 'brand'],
    ['卜ドヶ公式', 'brand'],
    ['とどけ【公式】', 'brand'],
    ['とどけ・公式アカウント', 'brand'],
    ['とどけ\u200b公\u200d式', 'brand'],
    ['公式とどけ', 'brand'],
    ['公式 todoke', 'brand'],
    ['とどけ運営事務局', 'brand'],
    ['とどけサポート', 'brand'],
    ['届け運営', 'brand'],
    ['とどけ運營', 'brand'],
    ['todoke', 'brand'],
    ['Todoke 2', 'brand'],
    ['ＴＯＤＯＫＥ', 'brand'],
    ['t0d0ke', 'brand'],
    ['tоdоkе', 'brand'],
    ['τοdοκε', 'brand'],
    ['ᴛᴏᴅᴏᴋᴇ', 'brand'],
    ['ⓣⓞⓓⓞⓚⓔ', 'brand'],
    ['🅣🅞🅓🅞🅚🅔', 'brand'],
    ['🆃🅾🅳🅾🅺🅴', 'brand'],
    ['tödöké', 'brand'],
    ['t.o.d.o.k.e', 'brand'],
    ['todoke_official', 'brand'],
    ['official_todoke', 'brand'],
    ['t0doke_0fficia1', 'brand'],
    ['todoke_jp_support', 'brand'],
    ['todoke公式', 'brand'],
    ['公式', 'brand'],
    ['admin', 'admin'],
    ['Admin', 'admin'],
    ['аdmin', 'admin'],
    ['admin!', 'admin'],
    ['公式！', 'brand'],
    ['adm1n', 'admin'],
    ['@dm!n', 'admin'],
    ['adrnin', 'admin'],
    ['a_d_m_i_n', 'admin'],
    ['admin_tanaka', 'admin'],
    ['tanaka_admin', 'admin'],
    ['田中（admin）', 'admin'],
    ['admin123', 'admin'],
    ['administrator', 'admin'],
    ['アドミン', 'admin'],
    ['moderator_7', 'admin'],
    ['モデレーター', 'admin'],
    ['運営', 'admin'],
    ['運営さん', 'admin'],
    ['運営チーム', 'admin'],
    ['管理人', 'admin'],
    ['support', 'support'],
    ['support_team', 'support'],
    ['サポートセンター', 'support'],
    ['公式サポート', 'support'],
    ['カスタマーサポート', 'support'],
    ['お問い合わせ窓口', 'support'],
    ['運営事務局', 'support'],
    ['system', 'system'],
    ['info', 'system'],
    ['null', 'system'],
  ] as const)('%s: %s', (name, reason) => {
    expect(reservedReason(name)).toBe(reason)
  })
})

test.each([
  ['サポート2026', 'support'],
  ['運営_77', 'admin'],
  ['チームのとどけ', 'brand'],
  ['公式のtodoke', 'brand'],
  ['tanaka the admin', 'admin'],
  ['admin!tanaka', 'admin'],
  ['tanaka＠admin', 'admin'],
])('%s is kept: number, particle, place and sign change nothing', (name, reason) =>
  expect(reservedReason(name)).toBe(reason),
)

test.each(['友だちのとどけ', 'the admin tanaka', '1サポート2', '私の届け'])(
  '%s is a name of a person',
  (name) => expect(reservedReason(name)).toBeUndefined(),
)

describe('names of people', () => {
  test.each([
    'とどけるひと',
    '花をとどける人',
    '想いとどけ隊',
    '空へとどけ',
    '君に届け',
    'とどけ物のパン屋',
    '川口todoroki',
    'todoroki',
    'todokeru_hito',
    'hana_todoke',
    'adminton',
    'badminton_aki',
    'admiral_k',
    'adam',
    'madmin',
    '管理栄養士のみき',
    '管理栄養士さおり',
    '店舗運営のたなか',
    '運営志望の大学生',
    'イベント運営してます',
    'サポートキャラ',
    '猫をサポートする会',
    '公式じゃない方',
    'みき公式',
    'mika_official',
    'official_mika',
    'みきオフィシャル',
    'スタッフのみなさんへ',
    'infinite_sky',
    'informatics_lab',
    'helpful_hana',
    'modern_art',
    'staffordshire',
    'systematic',
    'roots_and_leaves',
    'ニコ口',
    '力丸',
    '一二三',
    '夕子',
    '工藤',
    '汐見はる',
    'umi_no_asa',
    'トドの助',
    'とど',
    '轟',
    '山田 花子',
    'Ünal',
    'Анна',
    'Γιώργος',
    '김민지',
    'สมชาย',
    '🍡',
    '',
  ])('%j', (name) => {
    expect(reservedReason(name)).toBeUndefined()
  })
})

describe('a change', () => {
  test('to a reserved name or handle is refused at its field', () => {
    expect(reservedFields({ name: 'とどけ公式', handle: 'todoke_support' })).toEqual({
      name: 'reserved',
      handle: 'reserved',
    })
    expect(reservedFields({ name: '葵', handle: 'aoi' })).toEqual({})
    expect(reservedFields({ name: '葵', handle: null })).toEqual({})
    expect(reservedFields({ name: '葵' }, { name: 'とどけ公式', handle: 'todoke' })).toEqual({})
  })

  test('of another field is accepted for a member with a reserved name', () => {
    const before = { name: 'とどけ公式', handle: 'todoke_support' }
    expect(reservedFields(before, before)).toEqual({})
    expect(reservedFields({ ...before, name: 'とどけ運営' }, before)).toEqual({ name: 'reserved' })
    expect(reservedFields({ ...before, handle: 'todoke_staff' }, before)).toEqual({ handle: 'reserved' })
  })
})
