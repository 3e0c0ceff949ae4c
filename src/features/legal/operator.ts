// The operator's facts for the legal pages, cached on the device.
import { queryOptions } from '@tanstack/react-query'
import { getOperator, operatorView, type OperatorView } from '#contract/operator.ts'
import { readSetting, writeSetting } from '#device/session/settings.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { date } from '#src/lib/format.ts'
import { queriesOf } from '#src/domain/queries/query.ts'

const SETTING = 'operator'
const ignoreFailure = <T>(work: Promise<T>) => work.catch(() => undefined)

async function readOperator(signal: AbortSignal): Promise<OperatorView | null> {
  try {
    const operator = await call(getOperator, {}, signal)
    void ignoreFailure(writeSetting(SETTING, operator))
    return operator
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure
    return (await ignoreFailure(readSetting(SETTING, operatorView))) ?? null
  }
}

/** The operator; null without a reply or a cached one: the text is shown without it. */
export const operatorQuery = queryOptions({
  ...queriesOf(getOperator),
  queryFn: ({ signal }) => readOperator(signal),
  staleTime: ({ state }) => (state.data ? 3_600_000 : 0),
})

export interface OperatorWords {
  name: string
  representative: string
  address: string
  phone: string
  email: string
  invoiceNumber: string | null
  /** 2026年11月21日; null when it is not known. */
  effectiveOn: string | null
  /** Days for which messages are stored; null for no limit, and when it is not known. */
  messageDays: number | null
}

const onRequest = 'ご請求があった場合は、遅滞なく開示いたします。'
const away = 'オフラインのため表示できません。接続してからもう一度開いてください。'
const unset = '（開発環境のため設定されていません）'

/** The text for each missing fact. The law allows some of them on request. */
export function operatorWords(operator: OperatorView | null): OperatorWords {
  if (!operator)
    return {
      name: away,
      representative: away,
      address: away,
      phone: away,
      email: away,
      invoiceNumber: null,
      effectiveOn: null,
      messageDays: null,
    }
  return {
    name: operator.name ?? unset,
    representative: operator.representative ?? onRequest,
    address: operator.address ?? onRequest,
    phone: operator.phone ?? onRequest,
    email: operator.email ?? unset,
    invoiceNumber: operator.invoice_number,
    effectiveOn: date(Date.parse(`${operator.effective_on}T00:00+09:00`)),
    messageDays: operator.message_days,
  }
}
