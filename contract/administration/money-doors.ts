// The doors by which staff make, move or book money, and what each demands.

/**
 * What a door demands besides a password that was proven in the last ten minutes, which all of them do.
 * A text in place of a demand says why it is not made.
 */
interface Demands {
  /** `rolled_back`: the act is run and rolled back first, so that the page shows what it would book. */
  readonly preview: 'rolled_back' | `no: ${string}`
  /** `amount`: above an amount a second member of staff makes the same act; `steps`: another one than who approved makes the file. */
  readonly second: 'amount' | 'steps' | `no: ${string}`
  /** `refused`: of the own purchase, sale or balance, as long as another member of staff can act. */
  readonly own: 'refused' | `no: ${string}`
}

const noMoney = 'no: it books no money'
const noPerson = 'no: it is about no person'
const noCreator = 'no: it changes no balance of a creator, and is about a whole file'
const noPayout = 'no: the page shows the payout, whose amount is fixed'
const noGain = 'no: it pays no person: money stays, goes back, or is kept for the tax office'
const taken = 'no: it takes money away, and pays no person'

/** Every endpoint of staff that writes about money, by its name. A test compares them with the contract. */
export const moneyDoors = {
  refundByAdmin: { preview: 'rolled_back', second: 'amount', own: 'refused' },
  disputeByAdmin: { preview: 'rolled_back', second: taken, own: 'refused' },
  decideDispute: { preview: 'rolled_back', second: 'amount', own: 'refused' },
  addFeeRate: { preview: 'rolled_back', second: noMoney, own: 'refused' },
  addComplimentary: { preview: 'rolled_back', second: 'amount', own: 'refused' },
  endComplimentary: { preview: noMoney, second: noMoney, own: noMoney },
  addSettlement: { preview: 'rolled_back', second: 'amount', own: noPerson },
  reverseSettlement: { preview: 'rolled_back', second: taken, own: noPerson },
  closeOperatorTask: { preview: 'rolled_back', second: 'amount', own: 'refused' },
  reconcileByAdmin: { preview: 'rolled_back', second: 'amount', own: 'refused' },
  approvePayouts: { preview: noPayout, second: 'steps', own: 'refused' },
  decidePayout: { preview: noPayout, second: noGain, own: 'refused' },
  exportPayouts: { preview: noPayout, second: 'steps', own: 'refused' },
  voidPayoutExport: { preview: noPayout, second: noMoney, own: 'refused' },
  recordBankFee: { preview: 'rolled_back', second: 'amount', own: noCreator },
  importPayoutResults: { preview: noPayout, second: 'steps', own: 'refused' },
  settlePayout: { preview: noPayout, second: 'steps', own: 'refused' },
  readPayeeContact: { preview: noMoney, second: noMoney, own: noMoney },
  requestLastPayout: { preview: noPayout, second: 'steps', own: noMoney },
  clearBalance: { preview: 'rolled_back', second: 'amount', own: 'refused' },
} as const satisfies Record<string, Demands>

export type MoneyDoor = keyof typeof moneyDoors

/** Doors that an act above an amount passes with a second member of staff. */
export type SecondedDoor = {
  [Door in MoneyDoor]: (typeof moneyDoors)[Door]['second'] extends 'amount' ? Door : never
}[MoneyDoor]

export const secondedDoors = Object.entries(moneyDoors).flatMap(([name, { second }]) =>
  second === 'amount' ? [name as SecondedDoor] : [],
)
