// Environment variables of payments: the provider, its notices, the platform's fee, the limits.
import * as v from 'valibot'
import { practiceNames, type ProviderName, providerNames } from '#server/adapters/payments/provider.ts'
import { compileTrust } from '#server/http/client-address.ts'

/** Limits against card testing and stolen cards. */
export interface PaymentLimits {
  /** Payments that one person begins in an hour. */
  readonly begunPerHour: number
  /** Refused cards of one person in a day. */
  readonly refusedPerPerson: number
  /** Refused cards of one network in a day. */
  readonly refusedPerNetwork: number
  /** Yen that an account younger than 30 days pays in a day. */
  readonly newAccountYen: number
}

export interface PaymentSettings {
  /** The provider of new payments. */
  readonly provider: ProviderName | 'off'
  /** Whether new payments begin; renewals, refunds, stops and notices go on without. */
  readonly isSelling: boolean
  /** Providers that took payments before, whose notices still arrive: the listed ones, and those whose variables are there. */
  readonly earlierProviders: readonly ProviderName[]
  /** URL of the provider's form; '' for the sandbox. */
  readonly url: string
  /** The number of the shop (`aid`). */
  readonly storeId: string
  /** The secret part of the notices' path; '' for one that is derived from the server's key. */
  readonly noticePath: string
  /** Whether a notice may come from an address. */
  readonly isNoticeAddress: (address: string) => boolean
  readonly sendsCod: boolean
  /** `jb` of the first charge of a plan. */
  readonly planJob: string
  /** `jb` of a form that registers a card without a payment. */
  readonly cardJob: string
  /** The name on the buyer's card statement, as agreed with the provider. */
  readonly statementName: string
  /** Fee of the platform, basis points. */
  readonly feeRate: number
  readonly limits: PaymentLimits
  /** The largest amount that one member of staff books alone, yen; 0 for any. */
  readonly secondPersonYen: number
  /** Whether the money of charges is real, so that charges of a practice provider are a fault. */
  readonly isReal: boolean
  /** Whether requests may change the sandbox's behaviour. */
  readonly sandboxControl: boolean
}

const flag = v.optional(
  v.pipe(
    v.picklist(['1', '0']),
    v.transform((it) => it === '1'),
  ),
)
const number = (usual: number, most = Number.MAX_SAFE_INTEGER) =>
  v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.safeInteger(), v.maxValue(most)),
    String(usual),
  )

/** A list of addresses and networks; a number, which `compileTrust` would read as proxies, is refused. */
const addresses = v.pipe(
  v.string(),
  v.rawTransform<string, (address: string) => boolean>(({ dataset, addIssue, NEVER }) => {
    try {
      if (/^\d+$/.test(dataset.value)) throw new TypeError('a number')
      const trust = compileTrust(dataset.value)
      return (address) => trust(address, 0)
    } catch {
      addIssue({ message: 'PAYMENT_NOTICE_ADDRESSES' })
      return NEVER
    }
  }),
)

export const paymentVariables = {
  PAYMENT_PROVIDER: v.optional(v.picklist([...providerNames, 'off'])),
  PAYMENT_NEW_SALES: flag,
  PAYMENT_EARLIER_PROVIDERS: v.optional(
    v.pipe(
      v.string(),
      v.transform((it) => it.split(',').map((name) => name.trim())),
      v.array(v.picklist(providerNames)),
    ),
  ),
  PAYMENT_URL: v.optional(v.pipe(v.string(), v.url(), v.startsWith('https://'))),
  PAYMENT_STORE_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))),
  PAYMENT_NOTICE_PATH: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{32,100}$/))),
  PAYMENT_NOTICE_ADDRESSES: v.optional(addresses),
  PAYMENT_SENDS_COD: flag,
  PAYMENT_PLAN_JOB: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{1,16}$/)), 'CAPTURE'),
  PAYMENT_CARD_JOB: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{1,16}$/)), 'CHECK'),
  PAYMENT_STATEMENT_NAME: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(40)), 'TODOKE'),
  PAYMENT_SANDBOX_CONTROL: flag,
  PAYMENT_PRACTICE: flag,
  PLATFORM_FEE_RATE: number(1000, 10_000),
  SECOND_PERSON_YEN: number(30_000),
  PAYMENTS_PER_HOUR: number(20),
  PAYMENT_REFUSALS_PER_PERSON: number(5),
  PAYMENT_REFUSALS_PER_NETWORK: number(20),
  PAYMENT_NEW_ACCOUNT_YEN: number(30_000),
}

const oneOrZero = '1 か 0 にしてください'
const count = '0 以上の数字にしてください'

export const paymentWanted: Record<keyof typeof paymentVariables, string> = {
  PAYMENT_PROVIDER: `${providerNames.join('・')}・off のどれかにしてください`,
  PAYMENT_NEW_SALES: oneOrZero,
  PAYMENT_EARLIER_PROVIDERS: `以前の決済代行会社を、${providerNames.join('・')} からカンマで区切って並べてください`,
  PAYMENT_URL: '決済画面の、https:// で始まる URL にしてください',
  PAYMENT_STORE_ID: '決済代行会社の店舗番号を、半角英数字と - _ で書いてください',
  PAYMENT_NOTICE_PATH: '32〜100文字の半角英数字と - _ にしてください（例 openssl rand -hex 32）',
  PAYMENT_NOTICE_ADDRESSES:
    '通知を送ってくるアドレスとネットワーク（例 192.0.2.0/24）をカンマで区切って並べてください',
  PAYMENT_SENDS_COD: oneOrZero,
  PAYMENT_PLAN_JOB: 'プランの最初の決済の jb の値を、半角の大文字で書いてください（例 CAPTURE）',
  PAYMENT_CARD_JOB: 'カードの変更（決済なし）の jb の値を、半角の大文字で書いてください（例 CHECK）',
  PAYMENT_STATEMENT_NAME: 'カードの明細に表示される名前を 40 文字以内にしてください',
  PAYMENT_SANDBOX_CONTROL: oneOrZero,
  PAYMENT_PRACTICE: oneOrZero,
  PLATFORM_FEE_RATE: '手数料の割合を、0〜10000 の数字（1 万分の 1。1000 は 10%）にしてください',
  SECOND_PERSON_YEN: '0 以上の数字（円）にしてください',
  PAYMENTS_PER_HOUR: count,
  PAYMENT_REFUSALS_PER_PERSON: count,
  PAYMENT_REFUSALS_PER_NETWORK: count,
  PAYMENT_NEW_ACCOUNT_YEN: '0 以上の数字（円）にしてください',
}

const schema = v.object(paymentVariables)
type PaymentEnv = v.InferOutput<typeof schema>

/** The configured provider; by default the sandbox outside production, and none in production. */
const providerOf = (env: PaymentEnv, production: boolean): PaymentSettings['provider'] =>
  env.PAYMENT_PROVIDER ?? (production ? 'off' : 'sandbox')

/** Variables without which a provider does not start. */
const neededBy: Record<ProviderName | 'off', readonly (keyof typeof paymentVariables)[]> = {
  off: [],
  sandbox: [],
  'hosted-sandbox': [],
  // All that keeps forged notices away.
  'link-form': ['PAYMENT_URL', 'PAYMENT_STORE_ID', 'PAYMENT_NOTICE_PATH', 'PAYMENT_NOTICE_ADDRESSES'],
}

/**
 * The listed earlier providers, and those whose variables are all there still: without one, the refunds and stops of its rows would
 * be tasks, and its notices lost. Practice providers, which need no variables, are open only by name.
 */
function earlierOf(env: PaymentEnv, production: boolean): readonly ProviderName[] {
  const listed = env.PAYMENT_EARLIER_PROVIDERS ?? []
  const provider = providerOf(env, production)
  // A rehearsal stays without real money, also with variables that were left.
  if (production && [provider, ...listed].some(isPractice)) return listed
  const configured = providerNames.filter((it) => it !== provider && !listed.includes(it) && hasAll(env, it))
  return [...listed, ...configured]
}

const isPractice = (name: ProviderName | 'off') => practiceNames.some((it) => it === name)

const hasAll = (env: PaymentEnv, provider: ProviderName) =>
  neededBy[provider].length > 0 && neededBy[provider].every((name) => env[name] !== undefined)

/** Sentences about missing variables of the configured provider and the earlier ones. */
export function missingOfPayments(env: PaymentEnv, production: boolean): string[] {
  const opened = new Set([providerOf(env, production), ...earlierOf(env, production)])
  return [...opened].flatMap((provider) =>
    neededBy[provider]
      .filter((name) => env[name] === undefined)
      .map((name) => `環境変数 ${name} が決済代行会社 ${provider} では必要です。${paymentWanted[name]}。`),
  )
}

/**
 * Sentences about practice providers in production. Everything on sale would be free there, and sales without money would be paid out,
 * so that one is opened on purpose only, and never beside a real one.
 */
export function wrongOfPayments(env: PaymentEnv, production: boolean): string[] {
  const opened = [providerOf(env, production), ...earlierOf(env, production)].filter((it) => it !== 'off')
  const practice = opened.filter(isPractice)
  if (!production || practice.length === 0) return []
  const names = practice.join('・')
  if (practice.length < opened.length)
    return [
      `環境変数 PAYMENT_PROVIDER と PAYMENT_EARLIER_PROVIDERS に、練習用の決済（${names}）と本物の決済代行会社を、本番環境で一緒に指定することはできません。`,
    ]
  return env.PAYMENT_PRACTICE === true
    ? []
    : [
        `練習用の決済（${names}）では、お金が動かないまま投稿とプランが売れてしまいます。本番環境で練習用として使うときだけ、環境変数 PAYMENT_PRACTICE を 1 にしてください。`,
      ]
}

export const noPaymentLimits: PaymentLimits = {
  begunPerHour: Number.MAX_SAFE_INTEGER,
  refusedPerPerson: Number.MAX_SAFE_INTEGER,
  refusedPerNetwork: Number.MAX_SAFE_INTEGER,
  newAccountYen: Number.MAX_SAFE_INTEGER,
}

const SANDBOX_STORE = 'sandbox'

export function paymentSettingsOf(
  env: PaymentEnv & { readonly NODE_ENV: string; readonly RATE_LIMITS: boolean },
): PaymentSettings {
  const production = env.NODE_ENV === 'production'
  const limits = {
    begunPerHour: env.PAYMENTS_PER_HOUR,
    refusedPerPerson: env.PAYMENT_REFUSALS_PER_PERSON,
    refusedPerNetwork: env.PAYMENT_REFUSALS_PER_NETWORK,
    newAccountYen: env.PAYMENT_NEW_ACCOUNT_YEN,
  }
  return {
    provider: providerOf(env, production),
    isSelling: env.PAYMENT_NEW_SALES ?? true,
    earlierProviders: earlierOf(env, production),
    url: env.PAYMENT_URL ?? '',
    storeId: env.PAYMENT_STORE_ID ?? SANDBOX_STORE,
    noticePath: env.PAYMENT_NOTICE_PATH ?? '',
    isNoticeAddress: env.PAYMENT_NOTICE_ADDRESSES ?? (() => true),
    sendsCod: env.PAYMENT_SENDS_COD ?? false,
    planJob: env.PAYMENT_PLAN_JOB,
    cardJob: env.PAYMENT_CARD_JOB,
    statementName: env.PAYMENT_STATEMENT_NAME,
    feeRate: env.PLATFORM_FEE_RATE,
    limits: env.RATE_LIMITS ? limits : noPaymentLimits,
    secondPersonYen: env.SECOND_PERSON_YEN,
    isReal: production && env.PAYMENT_PRACTICE !== true,
    sandboxControl: env.PAYMENT_SANDBOX_CONTROL ?? !production,
  }
}
