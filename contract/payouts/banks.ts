// The directory of Japanese banks and their branches, for choosing an account.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'

/** Longest searched text, grapheme clusters. The longest name has 23. */
const MAX_SEARCHED = 50
/** Most banks or branches of one reply. */
export const MAX_FOUND = 20

export const bankCode = v.pipe(v.string('malformed'), v.regex(/^\d{4}$/, 'malformed'))
export const branchCode = v.pipe(v.string('malformed'), v.regex(/^\d{3}$/, 'malformed'))

/** A bank or branch. `name` is without 銀行 and 支店, as banks print it; `kana` are full-width. */
const directoryEntry = v.object({ code: v.string(), name: v.string(), kana: v.string() })
export type DirectoryEntry = v.InferOutput<typeof directoryEntry>

const query = v.object({
  /** The beginning of a code, or a part of the name or kana. Without text, the first by code. */
  q: v.optional(
    v.pipe(
      v.string(),
      v.transform((it) => asLines(it).trim()),
      maxLength(MAX_SEARCHED),
    ),
    '',
  ),
})

/** Banks, at most `MAX_FOUND`: those whose code or name begins with the text, then those that contain it. */
export const searchBanks = endpoint({
  name: 'searchBanks',
  method: 'GET',
  path: '/banks',
  audience: 'member',
  summary: '銀行を名前、かな、番号で検索します',
  query,
  reply: v.object({ banks: v.pipe(v.array(directoryEntry), v.maxLength(MAX_FOUND)) }),
  errors: ['unauthenticated'],
})

/** Branches of a bank, as `searchBanks`. `not_found`: there is no bank with this code. */
export const searchBranches = endpoint({
  name: 'searchBranches',
  method: 'GET',
  path: '/banks/:bank_code/branches',
  audience: 'member',
  summary: '銀行の支店を名前、かな、番号で検索します',
  params: v.object({ bank_code: bankCode }),
  query,
  reply: v.object({ branches: v.pipe(v.array(directoryEntry), v.maxLength(MAX_FOUND)) }),
  errors: ['unauthenticated', 'not_found'],
})
