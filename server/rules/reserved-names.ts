// Recognises names and handles that impersonate the operator.
import type { ReservedReason } from '#contract/identity/admin-names.ts'
import { skeletonOf, wordsOf } from './skeleton.ts'

interface ReservedWords {
  /** `brand`: the service itself; `admin`: someone with rights over others; `support`: a desk that answers for it. */
  readonly reason: ReservedReason
  /** Refused as a whole name, with digits after it or an honorific or group suffix. */
  readonly whole: readonly string[]
  /** Refused also as the first or the last word of a name: `admin_tanaka`, `tanaka (admin)`. */
  readonly word?: readonly string[]
}

/** Words of one line, separated by spaces. */
const list = (words: string): string[] => words.split(' ')

const reserved: readonly ReservedWords[] = [
  { reason: 'brand', whole: list('とどけ todoke 公式 official kousiki koushiki') },
  {
    reason: 'admin',
    whole: list(
      '管理者 管理人 管理 運営 運営者 運営会社 うんえい アドミン モデレーター アドミニストレーター unei operator owner mod',
    ),
    word: list('admin admins administrator administrators moderator sysadmin webmaster root'),
  },
  {
    reason: 'support',
    whole: [
      ...list(
        'サポート カスタマーサポート 公式サポート サポート公式 ヘルプ ヘルプデスク お問い合わせ 問い合わせ',
      ),
      ...list('スタッフ 公式スタッフ 事務局 運営事務局 公式運営 運営公式 セキュリティ'),
      ...list('support customersupport officialsupport supportofficial help helpdesk staff contact security'),
    ],
  },
  { reason: 'system', whole: list('system info null undefined システム お知らせ 公式お知らせ') },
]

/** Spellings of the service's name. */
const brands = list('とどけ 届け todoke').map(skeletonOf)

/** Together with one of these, the service's name is not a common verb: とどけ公式, todoke_support. */
const roles = [
  ...list(
    '公式 運営 事務局 サポート 管理 スタッフ お知らせ 通知 窓口 問い合わせ 本部 セキュリティ 審査 決済',
  ),
  ...list(
    '本人確認 オフィシャル ヘルプ チーム 編集部 開発 アカウント official kousiki koushiki unei support',
  ),
  ...list(
    'admin staff help info team news security system account verify moderator operator payment contact',
  ),
].map(skeletonOf)

/** What may follow a reserved word and leaves its meaning; the empty one is for the word alone. */
const suffixes = [
  '',
  ...list('s さん ちゃん くん 様 さま 部 局 本部 事務局 チーム スタッフ 窓口 センター デスク 担当 担当者 係'),
  ...list('アカウント team center centre desk account jp'),
].map(skeletonOf)

interface Rule {
  readonly skeleton: string
  readonly reason: ReservedReason
}

const rulesOf = (which: 'whole' | 'word'): Rule[] =>
  reserved.flatMap((it) =>
    (it[which] ?? []).map((name) => ({ skeleton: skeletonOf(name), reason: it.reason })),
  )
const words = rulesOf('word')
const wholes = new Map(
  [...rulesOf('whole'), ...words].flatMap(({ skeleton, reason }) =>
    suffixes.map((suffix) => [skeleton + suffix, reason] as const),
  ),
)
const asWord = new Map(words.map(({ skeleton, reason }) => [skeleton, reason]))

/** A text without the digits at its end and the separators around them: `admin2026`, `admin_2026`. */
function withoutNumber(text: string): string {
  const plain = text.normalize('NFKC')
  let end = plain.length
  while (/[\s_.\-\d]/.test(plain.charAt(end - 1))) end -= 1
  return plain.slice(0, end)
}

/** Whether the service's name and a role make up the name: とどけ公式, todoke-jp-support, 公式とどけ. */
function posesAsBrand(skeleton: string): boolean {
  return brands.some((brand) => {
    const rest = skeleton.startsWith(brand) ? skeleton.slice(brand.length) : undefined
    if (rest !== undefined && roles.some((role) => rest.includes(role))) return true
    const before = skeleton.endsWith(brand) ? skeleton.slice(0, -brand.length) : undefined
    return roles.some((role) => before === role || before === `${role}の`)
  })
}

function reasonOf(text: string): ReservedReason | undefined {
  const skeleton = skeletonOf(text)
  const whole = wholes.get(skeleton)
  if (whole !== undefined) return whole
  if (posesAsBrand(skeleton)) return 'brand'
  const all = wordsOf(text)
  return asWord.get(String(all[0])) ?? asWord.get(String(all.at(-1)))
}

export interface ShownNames {
  readonly name: string
  readonly handle?: string | null
}

/**
 * The fields of a change that impersonate the operator. A name that the person has already is not refused, so that they
 * can change other fields; the operator sees it in a list.
 * @param before the person's current names; undefined for a new account
 */
export function reservedFields(change: ShownNames, before?: ShownNames): Record<string, 'reserved'> {
  const { name, handle } = change
  const refused: Record<string, 'reserved'> = {}
  if (name !== before?.name && reservedReason(name)) refused['name'] = 'reserved'
  if (handle && handle !== before?.handle && reservedReason(handle)) refused['handle'] = 'reserved'
  return refused
}

/**
 * Why a name or a handle is reserved for the operator.
 * @param text a valid name or handle
 * @returns undefined for a name that members may have
 */
export function reservedReason(text: string): ReservedReason | undefined {
  return reasonOf(text) ?? reasonOf(withoutNumber(text)) ?? reasonOf(text.replaceAll(/[@$!|！＠＄｜]/g, ' '))
}
