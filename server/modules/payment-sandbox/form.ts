// Checks the card form of the app as a provider does: exact fields, each once.
import * as v from 'valibot'

const amount = v.pipe(v.string(), v.regex(/^[1-9]\d{0,6}$/))
const word = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

const entries = {
  am: amount,
  sf: v.literal('0'),
  aofm: amount,
  tx: v.literal('0'),
  jb: v.literal('CAPTURE'),
  aid: word,
  payment_id: v.pipe(v.string(), v.uuid()),
  session_id: word,
  auth_id: word,
  inm: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
}

const cod = { cod: word }
/** The fields of a form that begins a recurring charge besides. */
const recurring = {
  jb: v.pipe(v.string(), v.regex(/^[A-Z]{1,16}$/)),
  acam: amount,
  actx: v.literal('0'),
  acsf: v.literal('0'),
  actp: v.literal('4'),
  ac1: v.pipe(v.string(), v.regex(/^(?:[1-9]|1\d|2[0-8])$/)),
}

/** One that registers a card for further charges, and takes no money. */
const registration = { ...recurring, am: v.literal('0') }

const plain = v.union([
  v.strictObject({ ...entries, ...registration }),
  v.strictObject(entries),
  v.strictObject({ ...entries, ...recurring }),
])
const withCod = v.union([
  v.strictObject({ ...entries, ...cod, ...registration }),
  v.strictObject({ ...entries, ...cod }),
  v.strictObject({ ...entries, ...cod, ...recurring }),
])

export type CardForm = Readonly<Record<string, string>>

/**
 * Reads the posted form.
 * @param text application/x-www-form-urlencoded
 * @returns undefined for another shop, and for missing, repeated, unknown or malformed fields
 */
export function readCardForm(
  text: string,
  { storeId, sendsCod }: { readonly storeId: string; readonly sendsCod: boolean },
): CardForm | undefined {
  const pairs = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) return undefined
  const parsed = v.safeParse(sendsCod ? withCod : plain, fields)
  if (!parsed.success || parsed.output.aid !== storeId) return undefined
  return parsed.output
}

/** What a card does in the sandbox. */
export type CardResult = 'paid' | 'refused' | 'refused_3ds' | 'unknown'

/** The cards of the sandbox; they exist at no issuer. */
export const testCards: readonly {
  readonly number: string
  readonly result: CardResult
  readonly says: string
  /** Months after the present one of which the last one is that of the card. */
  readonly months: number
}[] = [
  { number: '4111 1111 1111 1111', result: 'paid', says: '使えます', months: 48 },
  { number: '4000 0000 0000 0101', result: 'paid', says: '使えます。有効期限は翌月の末です', months: 1 },
  { number: '4000 0000 0000 0002', result: 'refused', says: 'カード会社に断られます', months: 48 },
  {
    number: '4000 0000 0000 3220',
    result: 'refused_3ds',
    says: '本人認証（3Dセキュア）に失敗します',
    months: 48,
  },
]

const digitsOf = (typed: string) => typed.normalize('NFKC').replaceAll(/[\s-]/g, '')

/** The test card of a typed number; undefined for every other one. */
export function cardOf(typed: string): (typeof testCards)[number] | undefined {
  const digits = digitsOf(typed.slice(0, 40))
  return testCards.find((it) => digitsOf(it.number) === digits)
}

/** The result of a typed card number; `unknown` for every number that is no test card. */
export const cardResultOf = (typed: string): CardResult => cardOf(typed)?.result ?? 'unknown'
