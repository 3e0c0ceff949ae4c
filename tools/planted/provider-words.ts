// Planted words of one payment provider, inside and outside its adapter.
import type { PlantedText } from './row.ts'

export const providerWords: readonly PlantedText[] = [
  ['house(provider-words)', 'server/services/payments/ref-a.ts', 'export const gid = 1', true],
  ['house(provider-words)', 'server/services/billing/ref-b.ts', 'export interface A { acid: string }', true],
  ['house(provider-words)', 'server/rules/money/ref-c.ts', 'export type A = { readonly chargeGid: 1 }', true],
  ['house(provider-words)', 'server/store/payments/ref-d.ts', "export const key = 'acid'", true],
  ['house(provider-words)', 'contract/payments/ref-e.ts', 'export const a = { gid: 1 }', true],
  [
    'house(provider-words)',
    'src/features/payments/ref-f.ts',
    "export const a = (it: { a: 1 }) => it['rst' as 'a']",
    true,
  ],
  [
    'house(provider-words)',
    'server/modules/payments/ref-g.ts',
    'export const a = 1 // The number (`gid`).',
    true,
  ],
  ['house(provider-words)', 'server/store/tables/ref-h.ts', 'export const ac1 = 1', true],
  ['house(provider-words)', 'server/modules/payment-sandbox/ref-i.ts', 'export const sendsCod = true', true],
  ['house(provider-words)', 'server/store/tables/ref-j.ts', "export const chargeRef = 'gid'", false],
  ['house(provider-words)', 'server/adapters/payments/ref-k.ts', "export const gid = 'acid'", false],
  ['house(provider-words)', 'server/modules/payment-sandbox/form-wire.ts', 'export const rst = 1', false],
  ['house(provider-words)', 'server/env/payments.ts', 'export const PAYMENT_SENDS_COD = 1', false],
  ['house(provider-words)', 'server/modules/payments/ref-l.test.ts', 'export const rst = 1', false],
  ['house(provider-words)', 'server/sim/ref-m.ts', 'export const acid = 1', false],
  [
    'house(provider-words)',
    'server/services/payments/ref-n.ts',
    'export const code = 1, paid = 2, placid = 3',
    false,
  ],
  ['house(provider-words)', 'bench/ref-o.ts', 'export const gid = 1', false],
]
