// The bearer token by which suspended people read their payment records: a decision's link.
const PREFIX = 'records_'

export interface DecisionLink {
  readonly decisionId: string
  readonly token: string
}

/** @returns what the Authorization header has after `Bearer ` */
export const recordsToken = ({ decisionId, token }: DecisionLink): string => `${PREFIX}${decisionId}_${token}`

/** @returns undefined for a token of another kind */
export function parseRecordsToken(text: string): DecisionLink | undefined {
  const found = /^records_([\da-f-]{36})_([\w-]{20,64})$/.exec(text)
  return found?.[1] !== undefined && found[2] !== undefined
    ? { decisionId: found[1], token: found[2] }
    : undefined
}
