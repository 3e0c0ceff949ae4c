// The fields of the link form and its notices, of the first sandbox.
import type { ChargeResult, Wire } from './wire.ts'

/** The result `rst`, and the error code `ec`. */
const results: Partial<Record<ChargeResult, { readonly rst: string; readonly ec: string }>> = {
  charged: { rst: '1', ec: '' },
  registered: { rst: '1', ec: '' },
  refused: { rst: '2', ec: 'ER003' },
  refused_3ds: { rst: '2', ec: 'ER584' },
  renewal_failed: { rst: '3', ec: 'ER003' },
}

export const formWire: Wire = {
  itemName: (fields) => fields['inm'] ?? '',
  chargeDay: (fields) => fields['ac1'] ?? '',
  monthly: (fields) => Number(fields['acam']),
  sessionId: (fields) => fields['session_id'] ?? '',
  /** The query of a notice: the provider's fields, and those of the form that it passes through. */
  result({ chargeRef, fields, amount, recurringRef }, result, falsified) {
    const told = results[result]
    if (!told) return undefined
    const { rst, ec } = told
    const total = String(falsified.amount ?? amount)
    const field = (name: string) => fields[name] ?? ''
    return new URLSearchParams({
      gid: chargeRef,
      rst,
      ap: rst === '1' ? '000000' : '',
      ec,
      god: chargeRef,
      cod: field('cod'),
      am: total,
      tx: '0',
      sf: '0',
      ta: total,
      aid: falsified.store ?? field('aid'),
      payment_id: field('payment_id'),
      session_id: field('session_id'),
      auth_id: field('auth_id'),
      ...(recurringRef !== null && { acid: recurringRef }),
    }).toString()
  },
  /** As at the real provider it has no field of the form but `cod`; without that, only the number of the recurring charge. */
  stopped({ recurringRef, fields: { cod } }, by) {
    const rst = by === 'provider' ? '2' : '4'
    return new URLSearchParams({ rst, ...(cod ? { cod } : { acid: recurringRef }) }).toString()
  },
  takenBack: () => undefined,
  call: (payload) => ({ query: `?${payload}`, init: {} }),
}
