// Details of audit entries are readable, and every field and value has a name.
import { describe, expect, test } from 'vitest'
import { auditActs } from '#contract/administration/audit-names.ts'
import { acts } from '#contract/administration/audit-acts.ts'
import { taskKinds } from '#contract/payments/operator-tasks.ts'
import { defined } from '#contract/testing/defined.ts'
import { detailOf } from './detail.ts'
import { fieldNames } from './text.ts'
import { valueNames } from './value-names.ts'

interface Inspected {
  readonly type: string
  readonly entries?: Readonly<Record<string, Inspected>>
  readonly item?: Inspected
  readonly wrapped?: Inspected
  readonly options?: readonly string[]
  readonly literal?: string
}

/** Names of closed lists anywhere in a schema. */
const namesIn = (it: Inspected | undefined): string[] =>
  it === undefined
    ? []
    : [
        ...(it.type === 'picklist' ? (it.options ?? []) : []),
        ...(it.type === 'literal' ? [it.literal ?? ''] : []),
        ...namesIn(it.item),
        ...namesIn(it.wrapped),
      ]

describe('every field and closed value of an act has a name', () => {
  test.each(auditActs)('%s', (act) => {
    const fields = Object.entries(defined((acts[act].detail as unknown as Inspected).entries))
    expect(fields.filter(([field]) => fieldNames[field] === undefined).map(([field]) => field)).toEqual([])
    const names = fields.flatMap(([, it]) => namesIn(it))
    const known = (it: string) =>
      valueNames[it] !== undefined || (taskKinds as readonly string[]).includes(it)
    expect(names.filter((it) => !known(it))).toEqual([])
  })
})

test.each([
  [
    { role: 'admin', from: 'member' },
    [
      ['役割', '管理者'],
      ['変更前', '役割なし'],
    ],
  ],
  [
    { amount: 1200, refund: '01890000-0000-7000-8000-00000000abcd' },
    [
      ['金額', '1,200円'],
      ['返金', '…0000abcd'],
    ],
  ],
  [
    { rate: 1250, first_day: '2026-03-05' },
    [
      ['手数料率', '12.5%'],
      ['開始日', '2026年3月5日'],
    ],
  ],
  [{ fields: ['actor', 'from'] }, [['使った条件', '操作した人、開始日']]],
  [
    { people: ['a', 'b'], from: null, own: true },
    [
      ['ユーザー', '2件'],
      ['変更前', 'なし'],
      ['本人の振込', 'はい'],
    ],
  ],
  [{ kind: 'stop_charges' }, [['種類', '毎月の請求を止める']]],
  [{ unknown: 'x' }, [['unknown', 'x']]],
])('%j is readable', (detail, expected) => {
  expect(detailOf(detail)).toEqual(expected)
})
