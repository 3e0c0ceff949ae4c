// Positions in the write-ahead log of PostgreSQL (LSN).

/** Bytes of the log before a position. Within one history of a database, a later commit has a higher one. */
export type Lsn = bigint

/** Parses `16/B374D848`; undefined for another text. */
export function parseLsn(text: string | null): Lsn | undefined {
  const [, high = '', low = ''] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '') ?? []
  return high === '' ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Writes a position as PostgreSQL does. */
export const formatLsn = (lsn: Lsn): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`
